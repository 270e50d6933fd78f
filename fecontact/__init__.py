"""fecontact: friction-induced vibration, from the finite-element mesh to the answer.

The pipeline, in the order of the folders:

    mesh -> fem -> reduction -> body -> joint, contact -> system -> analysis -> results -> view
"""

__version__ = "0.1.0"
