"""`python -m fecontact.cli`."""

from fecontact.cli import main

main()
