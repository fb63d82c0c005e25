// Commands of documents that the rehearsal runs: what a reader types first.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { root } from '../bootstrap.mjs'

/** Pages whose first block creates a project. */
export const firstReward = 'docs/tutorials/1-first-reward.md'
export const yourBrand = 'docs/tutorials/2-your-brand.md'

/** The commands of the first block of a document that a shell runs. */
export const commandsOf = (path) =>
  /```(?:sh)?\n([\s\S]*?)```/
    .exec(readFileSync(resolve(root, path), 'utf8'))[1]
    .trim()
    .split('\n')
