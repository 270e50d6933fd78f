"""`python -m fecontact`."""

from fecontact.cli import main

main()
