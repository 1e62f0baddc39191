"""The page for everybody else at the table: read in a browser, changed by nobody.

`layout` makes HTML of what is shown, `feed` tells readers what changed, `watcher` looks into the
book, `app` answers requests, `server` runs it.
"""
