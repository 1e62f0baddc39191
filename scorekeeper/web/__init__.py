"""The page for everybody else at the table: read in a browser, changed by nobody.

`layout` makes HTML of what is shown, `feed` looks into the book and tells readers what changed,
`app` answers requests and runs the server.
"""
