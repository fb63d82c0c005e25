// Runs child.cjs beside it. The first life that ends by itself leaves the compiled code for all later ones.
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { Script } = require('node:vm')

const filename = join(__dirname, 'child.cjs')
const cache = join(__dirname, 'child.cache')
const source = `(function (require, module, exports) {${readFileSync(filename, 'utf8')}\n})`
const cachedData = existsSync(cache) ? readFileSync(cache) : undefined
const script = new Script(source, { filename, cachedData })
process.on('exit', () => {
  if (existsSync(cache)) return
  const draft = `${cache}.${process.pid}`
  writeFileSync(draft, script.createCachedData())
  renameSync(draft, cache)
})
script.runInThisContext()(require, module, exports)
