// `node apps/docs/snippets.mjs --write` copies the files of snippets into the pages that show them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const marked = /<!-- snippet: (\S+) -->\n```(\w+)\n[\s\S]*?```/g

/** Pages of `docs/`, by their path in the repository. */
export const pagesOfDocs = () =>
  readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Returns a page with every marked block as its file has it. */
export const withSnippets = (text) =>
  text.replace(marked, (_, file, language) => {
    const code = readFileSync(join(root, file), 'utf8').trimEnd()
    return `<!-- snippet: ${file} -->\n\`\`\`${language}\n${code}\n\`\`\``
  })

if (process.argv.includes('--write')) {
  for (const { path, text } of pagesOfDocs()) {
    const now = withSnippets(text)
    if (now !== text) writeFileSync(join(root, path), now)
  }
}
