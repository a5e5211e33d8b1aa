"""What a change does to the gate itself: the exams of two trees, held against each other."""
