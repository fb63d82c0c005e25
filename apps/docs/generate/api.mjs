// The reference of the packages, from their sources.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Entries of the published packages, by the address of their page. */
const entries = {
  client: ['@hailstone/client', 'client/src/node.ts'],
  mnemonic: ['@hailstone/client/mnemonic', 'client/src/mnemonic/index.ts'],
  'mining-node': ['@hailstone/mining-node', 'mining-node/src/node.ts'],
  fleet: ['@hailstone/mining-node/fleet', 'mining-node/src/fleet/index.ts'],
  health: ['@hailstone/mining-node/health', 'mining-node/src/health/index.ts'],
  bridge: ['@hailstone/mining-node/bridge', 'mining-node/src/bridge/index.ts'],
  'local-network': ['@hailstone/local-network', 'local-network/src/index.ts'],
  protocol: ['@hailstone/protocol', 'protocol/src/index.ts'],
  react: ['@hailstone/react', 'react/src/index.ts'],
  brand: ['@hailstone/brand', 'brand/src/index.ts'],
}

const settings = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023', 'DOM'],
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    jsx: 'react-jsx',
    customConditions: ['@hailstone/source'],
    types: ['node'],
  },
}

/** Returns the files that typedoc writes for a module, which it calls by the path of its source. */
const fileOf = (out, source) => join(out, `${source.replace(/\/index\.ts$|\.ts$/, '')}.md`)

/**
 * Runs typedoc on this version of Node and returns a page for each entry.
 *
 * @throws {Error} with the output of typedoc if it fails
 */
export function apiPages(root, scratch) {
  const out = join(scratch, 'api')
  const packages = join(root, 'packages')
  const tsconfig = join(scratch, 'tsconfig.api.json')
  rmSync(out, { recursive: true, force: true })
  const typeRoots = [join(root, 'node_modules/@types')]
  const include = Object.values(entries).map(([, path]) => join(packages, path))
  const compilerOptions = { ...settings.compilerOptions, typeRoots }
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: include }))
  const words = [
    join(scratch, 'node_modules/typedoc/bin/typedoc'),
    ...['--plugin', 'typedoc-plugin-markdown', '--tsconfig', tsconfig, '--out', out, '--basePath', packages],
    // Types are checked by the compiler of the workspace, which is a newer one.
    ...[
      '--skipErrorChecking',
      '--disableSources',
      '--excludeInternal',
      '--excludePrivate',
      '--readme',
      'none',
    ],
    ...['--outputFileStrategy', 'modules', '--hideBreadcrumbs', '--hidePageHeader', '--logLevel', 'Error'],
    ...['--parametersFormat', 'table', '--typeDeclarationFormat', 'table'],
    ...include.flatMap((path) => ['--entryPoints', path]),
  ]
  const done = spawnSync(process.execPath, words, { cwd: scratch, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`typedoc failed:\n${done.stdout}${done.stderr}`)
  const urls = Object.entries(entries).map(([slug, [, path]]) => [
    fileOf(out, path),
    `/reference/api/${slug}/`,
  ])
  const pages = Object.entries(entries).map(([slug, [name, path]], at) => ({
    url: `/reference/api/${slug}/`,
    title: name,
    description: `Every exported function, type and constant of ${name}, from the comments of its source.`,
    order: at + 1,
    // Pages written by people come first in the search.
    body: `<div data-pagefind-weight="0.2">\n\n${withLinks(readFileSync(fileOf(out, path), 'utf8'), fileOf(out, path), new Map(urls))}\n\n</div>`,
  }))
  const headings = new Map(pages.map(({ url, body }) => [url, headingCounts(body)]))
  for (const page of pages) page.body = withAnchors(page.body, page.url, headings)
  const known = readdirSync(out, { recursive: true }).filter((file) => String(file).endsWith('.md'))
  if (known.length < pages.length) throw new Error(`typedoc wrote ${known.length} files`)
  return [
    {
      url: '/reference/api/',
      title: 'API',
      description: 'The exported names of every package, from the comments of their sources.',
      label: 'All entries',
      order: 0,
      body: pages.map(({ url, title }) => `* [\`${title}\`](${url})`).join('\n'),
    },
    ...pages,
  ]
}

function withLinks(text, file, urls) {
  const folder = join(file, '..')
  return text
    .replace(/^# .+\n+/m, '')
    .replace(/\]\(([^)#\s]+\.md)(#[^)]*)?\)/g, (_, target, anchor = '') => {
      const url = urls.get(join(folder, target))
      return url === undefined ? ']()' : `](${url}${anchor})`
    })
    .replace(/\[([^\]]*)\]\(\)/g, '$1')
}

/** Number of headings of a page by their slug. */
function headingCounts(body) {
  const counts = new Map()
  for (const [, text = ''] of body.matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-')
    counts.set(slug, (counts.get(slug) ?? 0) + 1)
  }
  return counts
}

/** The plugin numbers names that occur twice in a module even if only one of them has a heading. */
const withAnchors = (body, own, headings) =>
  body.replace(/\]\(([^)#\s]*)#([^)\s]+?)-(\d+)\)/g, (all, url, slug, number) =>
    (headings.get(url === '' ? own : url)?.get(slug) ?? 0) > Number(number) ? all : `](${url}#${slug})`,
  )
