"""The page for spectators: it shows the match in a browser, without any way to change the match.

`layout` renders the page as HTML, `feed` watches the book and sends changes to readers, and `app`
answers requests and runs the server.
"""
