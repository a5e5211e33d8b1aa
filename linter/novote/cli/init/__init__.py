"""`novote init`: what a repository needs so that CI chooses the exams."""
