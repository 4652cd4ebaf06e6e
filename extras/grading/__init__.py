"""`./lab grade`: marks for submissions that may be hostile. setup: built in advance; submission: reads the files of a
submission; build: compiles and links them; sandbox: runs programs, with limits, confined (system calls) and watch
(resource usage); judge: each test; marks: points; formats: reports; course: many submissions."""
