// Runs before every test file: what is drawn at random is the same in every run, so that a fault that only some draws
// find does not turn a change red that has nothing to do with it. `HAILSTONE_SEED=random` draws anew and prints the
// seed; a number repeats it.
import fc from 'fast-check'
import { seed } from './seed.ts'

fc.configureGlobal({ seed })
