// The explorer is an app of its own, and Scalar shows the reference. The network serves their files, so the package
// contains them, and whoever installs it installs nothing else for its pages.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const explorer = new URL('dist/', import.meta.resolve('@hailstone/explorer/package.json'))
cpSync(explorer, new URL('dist/explorer/', import.meta.url), { recursive: true })
// 4.9 MB of text; browsers take it compressed.
const scalar = new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference'))
writeFileSync(new URL('dist/scalar.js.gz', import.meta.url), gzipSync(readFileSync(scalar), { level: 9 }))
