import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Writes what a function of the built package in this folder returns into a file of `dist`: the last step of the build
 * of a package that publishes a document or a schema beside its code. A value that is no text is written as JSON.
 */
const [module, name, file] = process.argv.slice(2)

const { [name]: generate } = await import(pathToFileURL(resolve('dist', module)).href)
const value = generate()
writeFileSync(
  resolve('dist', file),
  typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`,
)
