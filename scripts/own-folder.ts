// Runs before every test file: its working folder is that of its package, whichever command started it.
import process from 'node:process'

const folder = process.env.HAILSTONE_TESTED_FOLDER
if (folder !== undefined) process.chdir(folder)
