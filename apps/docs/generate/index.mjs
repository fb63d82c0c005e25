// Writes the content of the site into the scratch folder: `node generate/index.mjs SCRATCH`. Needs Node 22.18 or newer.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiPages } from './api.mjs'
import { indexPages } from './index-pages.mjs'
import { pageOf, withFrontMatter } from './markdown.mjs'
import { referencePages } from './reference.mjs'
import { named, pagesOf } from './sources.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const [scratch = ''] = process.argv.slice(2)
const content = join(scratch, 'src/content/docs')
const pictures = join(scratch, 'public/pictures')
const { version } = JSON.parse(readFileSync(join(root, 'packages/protocol/package.json'), 'utf8'))

const sources = pagesOf(root)
const urls = new Map(sources.map(({ path, url }) => [path, url]))
urls.set('README.md', '/').set('docs/recipes/README.md', '/how-to/next/')

function picture(path) {
  const name = path.replaceAll('/', '-')
  mkdirSync(pictures, { recursive: true })
  cpSync(join(root, path), join(pictures, name))
  return `/pictures/${name}`
}

/** Links to files in whose place the site has generated pages. */
const withNamed = (text, path) =>
  text.replace(/\]\(([^):#]+)(?:#([^)]*))?\)/g, (link, file, what) => {
    const place = posix.join(posix.dirname(path), file)
    const [, urlFor] = named.find(([known]) => known === place) ?? []
    return urlFor === undefined ? link : `](${urlFor(what)})`
  })

/** Headings of the protocol get their number as an id, which is what the code cites. */
const withNumbers = (text) => text.replace(/^(#{2,3}) (\d+(?:\.\d+)+) /gm, '<a id="$2"></a>\n\n$1 $2 ')

const read = (path) => readFileSync(join(root, path), 'utf8')
const fromFile = ({ path, url, order, label }) => {
  const text = withNamed(read(path), path)
  const page = pageOf({ text, path, urlOf: (place) => urls.get(place), picture, root })
  const body = path.startsWith('docs/protocol/') ? withNumbers(page.body) : page.body
  return { ...page, body, url, order, label }
}

const here = (name) => readFileSync(new URL(name, import.meta.url), 'utf8').replaceAll('VERSION', version)
const generated = referencePages(root, scratch).map((page) =>
  page.path === undefined
    ? page
    : {
        ...page,
        ...pick(
          pageOf({ text: page.body, path: page.path, urlOf: (place) => urls.get(place), picture, root }),
        ),
      },
)
function pick({ body }) {
  return { body }
}

const pages = [...sources.map(fromFile), ...generated, ...apiPages(root, scratch)]
const written = [...pages, ...indexPages(pages)]

rmSync(content, { recursive: true, force: true })
for (const page of written) {
  const file = join(content, `${page.url.slice(1, -1)}.md`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, withFrontMatter(page))
}
for (const name of ['index.md', 'live.md', 'versions.md'])
  writeFileSync(join(content, name), here(`./pages/${name}`))

const group = (label, directory, collapsed = false) => ({
  label,
  collapsed,
  items: [{ autogenerate: { directory } }],
})
const link = (label, to) => ({ label, link: to })
const inReference = new Set([
  '/reference/command/',
  '/reference/exit-codes/',
  '/reference/events/',
  '/reference/errors/',
])
const referenceLinks = written
  .filter(
    ({ url, order }) =>
      /^\/reference\/[^/]+\/$/.test(url) && order !== undefined && !/\/(?:api|http)\/$/.test(url),
  )
  .sort((one, other) => one.order - other.order)
  .map(({ url, title, label = title }) => link(label, url))
if (referenceLinks.length < inReference.size) throw new Error('pages of the reference are missing')

writeFileSync(
  join(scratch, 'generated.json'),
  JSON.stringify({
    outDir: join(root, 'apps/docs/dist'),
    title: 'Hailstone',
    description: 'Proof-of-activity mining in TypeScript: tutorials, recipes, reference and protocol.',
    sidebar: [
      group('Tutorials', 'tutorials'),
      link('A live miner', '/live/'),
      group('How to', 'how-to', true),
      group('Operations', 'operations', true),
      {
        label: 'Reference',
        items: [
          link('Overview', '/reference/'),
          ...referenceLinks,
          group('API', 'reference/api', true),
          group('HTTP interface', 'reference/http', true),
        ],
      },
      group('Explanation', 'explanation', true),
      group('Protocol', 'protocol', true),
      group('Packages', 'packages', true),
      link('Changelog', '/changelog/'),
      link('Versions', '/versions/'),
    ],
  }),
)

// For programs that read instead of people: https://llmstxt.org
const isShort = ({ url }) => !/^\/reference\/(?:findings|errors)\/./.test(url)
const listed = written
  .filter(isShort)
  .map(({ url, title, description }) => `- [${title}](${url}): ${description}`)
const publicFolder = join(scratch, 'public')
mkdirSync(publicFolder, { recursive: true })
writeFileSync(
  join(publicFolder, 'llms.txt'),
  `# Hailstone\n\n> Proof-of-activity mining in TypeScript, version ${version}. The texts of all pages but the API: /llms-full.txt\n\n${listed.join('\n')}\n`,
)
writeFileSync(
  join(publicFolder, 'llms-full.txt'),
  written
    .filter(({ url }) => !url.startsWith('/reference/api/'))
    .map(({ url, title, body }) => `# ${title}\n\nSource: ${url}\n\n${body.trim()}\n`)
    .join('\n'),
)
console.log(`${written.length + 3} pages from ${sources.length} files; ${basename(content)} is written`)
