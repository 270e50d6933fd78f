"""What the compiled step loops of a program have in common: state, audit, the last step again."""
