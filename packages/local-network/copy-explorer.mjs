// The explorer is an app of its own. The network serves its two files, so the package contains them.
import { cpSync } from 'node:fs'

const built = new URL('dist/', import.meta.resolve('@hailstone/explorer/package.json'))
cpSync(built, new URL('dist/explorer/', import.meta.url), { recursive: true })
