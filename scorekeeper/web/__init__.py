"""The web page for spectators. It shows the match in a browser but cannot change it.

`layout` renders the page as HTML, `feed` watches the book and sends changes to readers, and `app`
answers requests and runs the server.
"""
