"""On top of Expand and Conquer: exact values and perfect play by command, and the study of its paper."""
