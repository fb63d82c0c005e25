// Every Markdown file of the repository that is a page of the site, and the address it gets.
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

const slugOf = (file) =>
  basename(file, '.md')
    .replace(/^\d+-(?=[a-z])/, '')
    .toLowerCase()

/** Files of a folder in `docs/`, in the order of their names. */
const folder = (root, name, keep = slugOf) =>
  readdirSync(join(root, 'docs', name))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .sort()
    .map((file, at) => ({ path: `docs/${name}/${file}`, url: `/${name}/${keep(file)}/`, order: at + 1 }))

const recipe = (file, url, label) => ({ path: file, url: `/how-to/${url}/`, order: 50, label })
const explanation = (file, url, label, order) => ({ path: file, url: `/explanation/${url}/`, label, order })
const readme = (name) => ({
  path: `packages/${name}/README.md`,
  url: `/packages/${name}/`,
  label: ['hailstone', 'create-hailstone'].includes(name) ? name : `@hailstone/${name}`,
})

const guide = (place, name, label) => ({
  path: `${place}/GUIDE.md`,
  url: `/packages/${name}-guide/`,
  label: `${label}: guide`,
})

/** @returns {readonly { path: string, url: string, order?: number, label?: string }[]} */
export const pagesOf = (root) => [
  ...folder(root, 'tutorials'),
  ...folder(root, 'how-to'),
  recipe('packages/mining-node/BRIDGE.md', 'bridge', 'Run a bridge for pages'),
  recipe('packages/mining-node/FLEET.md', 'fleet', 'Run a fleet'),
  recipe('packages/local-network/DATABASE.md', 'postgresql', 'Keep a network on PostgreSQL'),
  recipe('apps/white-label/NATIVE.md', 'native', 'Build for Android and iOS'),
  recipe('docs/published-packages.md', 'published-packages', 'Published packages'),
  recipe('docs/recipes/next.md', 'next', 'Next.js'),
  recipe('docs/recipes/react-18.md', 'react-18', 'React 18'),
  recipe('docs/recipes/jest.md', 'jest', 'Jest'),
  recipe('docs/recipes/bun.md', 'bun', 'Bun'),
  recipe('docs/recipes/browser-modules.md', 'browser-modules', 'Browser modules'),
  { path: 'docs/operations/README.md', url: '/operations/', label: 'Overview', order: 0 },
  ...folder(root, 'operations'),
  ...folder(root, 'explanation'),
  explanation('SECURITY.md', 'security', 'Security model', 20),
  explanation('ARCHITECTURE.md', 'architecture', 'Architecture', 21),
  explanation('docs/failure-modes.md', 'failure-modes', 'Failure modes', 22),
  explanation('docs/gates.md', 'gates', 'Gates', 23),
  explanation('docs/measurements.md', 'measurements', 'Measurements', 27),
  explanation('apps/white-label/KEYS.md', 'keys-of-the-app', 'Keys of the mining app', 24),
  explanation('docs/glossary.md', 'glossary', 'Glossary', 25),
  { path: 'docs/protocol/README.md', url: '/protocol/', label: 'Overview', order: 0 },
  ...folder(root, 'protocol', (file) => basename(file, '.md')),
  { path: 'packages/hailstone/EXIT-CODES.md', url: '/reference/exit-codes/', order: 3, label: 'Exit codes' },
  { path: 'packages/brand/CODES.md', url: '/reference/findings/', order: 6, label: 'Findings' },
  { path: 'packages/local-network/QUIRKS.md', url: '/reference/quirks/', order: 12, label: 'Quirks' },
  { path: 'SUPPORT.md', url: '/support/', label: 'Support' },
  { path: 'CHANGELOG.md', url: '/changelog/', label: 'Changelog' },
  ...[
    'client',
    'mining-node',
    'hailstone',
    'local-network',
    'react',
    'brand',
    'protocol',
    'ledger',
    'database',
    'indexer',
    'fault-injection',
    'runtime',
  ].map(readme),
  ...['client', 'mining-node', 'local-network', 'brand', 'indexer'].map((name) =>
    guide(`packages/${name}`, name, `@hailstone/${name}`),
  ),
  guide('packages/hailstone', 'hailstone', 'hailstone'),
  recipe('packages/fault-injection/SCRIPTS.md', 'fault-scripts', 'Write fault scripts'),
  explanation('packages/runtime/LOCKS.md', 'locks', 'Locks', 26),
  readme('create-hailstone'),
  readme('simulator'),
  readme('attack'),
  readme('benchmarks'),
]

/** Address of the page about an error; of the list without a code. */
export const errorUrl = (code = '') =>
  code === '' ? '/reference/errors/' : `/reference/errors/${code.toLowerCase()}/`

/** Files of the repository in whose place the site has pages of its own, by what follows the path. */
export const named = [
  ['packages/protocol/ERRORS.md', (code) => errorUrl(code)],
  ['packages/brand/src/schema', () => '/reference/brand-schema/'],
  ['packages/mining-node/src/health/node-metrics.ts', () => '/reference/metrics/'],
  ['apps/docs/live/page.ts', () => '/live/'],
]
