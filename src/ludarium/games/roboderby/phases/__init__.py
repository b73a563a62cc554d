"""From decision to decision: the race is set up, programs are made, a turn is carried out, destroyed robots come back."""
