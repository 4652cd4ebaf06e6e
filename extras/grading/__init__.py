"""`./lab grade`: marks for submissions that may be hostile. ground: what is built before; submission: what is taken of
a submission; build: its files become objects; objects: what those may contain; sandbox: where they run, with limits,
confined (system calls) and watch (what they take); judge: each test; marks: points; formats: reports; course: many
submissions."""
