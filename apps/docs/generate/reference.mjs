// Pages that are made from tables of the code: nothing here is written down a second time.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { idleSnapshot, nodeMetrics } from '@hailstone/mining-node/health'
import { errorExplanations } from '@hailstone/protocol/reference'
import { commands } from '../../../packages/hailstone/src/commands.ts'
import { shortened, table } from './markdown.mjs'
import { errorUrl } from './sources.mjs'

const read = (root, path) => readFileSync(join(root, path), 'utf8')
const code = (text) => `\`${text}\``

/** Parses a source with the compiler of the site's tools. */
function sourceFile(root, scratch, path) {
  const ts = createRequire(join(scratch, 'package.json'))('typescript')
  return { ts, file: ts.createSourceFile(path, read(root, path), ts.ScriptTarget.Latest, true) }
}

/** Members of an exported type: name, type as written, and the docstring. */
function membersOf(root, scratch, path, typeName) {
  const { ts, file } = sourceFile(root, scratch, path)
  const alias = file.statements.find((one) => ts.isTypeAliasDeclaration(one) && one.name.text === typeName)
  if (alias === undefined) throw new Error(`${path} has no type ${typeName}`)
  return alias.type.members.map((member) => ({
    name: member.name.getText(file),
    type: member.type
      .getText(file)
      .replace(/\/\*\*[\s\S]*?\*\//g, '')
      .replace(/\breadonly /g, '')
      .replace(/\s+/g, ' '),
    about: (ts.getJSDocCommentsAndTags(member)[0]?.comment ?? '').toString(),
  }))
}

function errorPages(root, scratch) {
  const facts = new Map(
    membersOf(root, scratch, 'packages/protocol/src/errors/facts.ts', 'ErrorFacts').map((one) => [
      one.name,
      one,
    ]),
  )
  const codes = Object.keys(errorExplanations).sort()
  const pages = codes.map((name) => {
    const { title, hint, causes, related } = errorExplanations[name]
    const { type = '{}', about = '' } = facts.get(name) ?? {}
    const body = [
      `**${title}.** ${hint}`,
      about,
      `## Causes and fixes`,
      table(
        ['Cause', 'Fix'],
        causes.map(({ cause, fix }) => [cause, fix]),
      ),
      '## Facts',
      `\`error.facts\` of this code:`,
      `\`\`\`ts\n${type}\n\`\`\``,
      `\`\`\`ts\nif (isNodeError(error, '${name}')) console.log(error.facts)\n\`\`\``,
      '## Related',
      related
        .map((other) => `* [${code(other)}](${errorUrl(other)}) – ${errorExplanations[other].title}`)
        .join('\n'),
    ]
    return {
      url: errorUrl(name),
      title: name,
      description: shortened(`${title}. ${hint}`),
      body: body.filter((part) => part !== '').join('\n\n'),
    }
  })
  const list = table(
    ['Code', 'Meaning'],
    codes.map((name) => [`[${code(name)}](${errorUrl(name)})`, errorExplanations[name].title]),
  )
  return [
    {
      url: '/reference/errors/',
      title: 'Errors',
      description: `All ${codes.length} error codes of the packages, each with causes and fixes.`,
      order: 5,
      body: `Every error that the packages throw on purpose is a \`NodeError\` with one of these ${codes.length} codes. Match on \`code\`, never on the message.\n\n${list}`,
    },
    ...pages,
  ]
}

/** A page for each row of the tables of findings. */
function findingPages(root) {
  let area = ''
  return read(root, 'packages/brand/CODES.md')
    .split('\n')
    .flatMap((line) => {
      area = /^## (.+)/.exec(line)?.[1] ?? area
      const [, id, name, severity, expected, fix] = line.split(/(?<!\\)\|/).map((one) => one.trim())
      if (!/^E\d{3}$/.test(id ?? '')) return []
      return [
        {
          url: `/reference/findings/${id.toLowerCase()}/`,
          title: `${id} ${name.replaceAll('`', '')}`,
          description: shortened(`Finding ${id} of a brand: expected ${expected}. ${fix}`),
          body: [
            table(
              ['', ''],
              [
                ['Area', area],
                ['Severity', severity],
                ['Expected', expected],
              ],
            ),
            '## Fix',
            fix,
            `All findings are [in one list](/reference/findings/).`,
          ].join('\n\n'),
        },
      ]
    })
}

const optionName = (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

function commandPage() {
  const parts = Object.entries(commands).map(([name, { about, argument, options }]) => {
    const rows = Object.entries(options).map(([option, { value, about: what, choices, isMultiple }]) => [
      code(`${optionName(option)}${value === undefined ? '' : ` ${value}`}`),
      `${what}${choices === undefined ? '' : `; one of ${choices.map(code).join(', ')}`}${isMultiple ? '; can be repeated' : ''}`,
    ])
    const call = ['hailstone', name, argument].filter((word) => word !== undefined).join(' ')
    return [
      `## ${name}`,
      `${about}.`,
      `\`\`\`sh\n${call}\n\`\`\``,
      ...(rows.length > 0 ? [table(['Option', 'Meaning'], rows)] : []),
    ]
  })
  return {
    url: '/reference/command/',
    title: 'Command',
    description: 'Every command of hailstone with its options, from the table that the command line reads.',
    order: 2,
    body: [
      'All commands of `hailstone` with their options, from the table that the command line itself reads. How a command ends is in [exit codes](/reference/exit-codes/).',
      ...parts.flat(),
    ].join('\n\n'),
  }
}

function eventsPage(root, scratch) {
  const events = membersOf(root, scratch, 'packages/mining-node/src/events.ts', 'MiningEvents')
  return {
    url: '/reference/events/',
    title: 'Events',
    description: 'Events of a mining node, with the type of the one argument of each.',
    order: 4,
    body: [
      'Events of a mining node, in the past tense, each with one argument. `node.on(name, listener)` returns the function that unsubscribes. A listener that throws is reported as `failed` and harms nothing else.',
      table(
        ['Event', 'Argument', 'When'],
        events.map(({ name, type, about }) => [code(name), code(type), about]),
      ),
      'The types are in the [reference of the mining node](/reference/api/mining-node/).',
    ].join('\n\n'),
  }
}

function metricsPage(root) {
  const snapshot = idleSnapshot({ address: '', tokenId: '0'.repeat(64), leaderCheck: null, hasApi: true })
  const health = { isReady: false, lastBeaconAgeMs: null }
  const ofNode = nodeMetrics({ snapshot, health, uptimeMs: 0, nowMs: 0 })
  const ofFleet = [
    ...read(root, 'packages/mining-node/src/health/fleet-metrics.ts').matchAll(
      /metric\(\s*'(gauge|counter)',\s*'([a-z_]+)',\s*'([^']*)'/g,
    ),
  ].map(([, type, name, help]) => ({ name: `hailstone_${name}`, type, help }))
  const rows = (metrics) => metrics.map(({ name, type, help }) => [code(name), type, help])
  const head = ['Metric', 'Type', 'Meaning']
  return {
    url: '/reference/metrics/',
    title: 'Metrics',
    description: 'Metrics of a miner and of a fleet, as /metrics serves them for Prometheus.',
    order: 9,
    body: [
      'Served at `/metrics` of the health port in the text format of Prometheus. A number that is not known is left out, never shown as 0.',
      '## A miner',
      table(head, rows(ofNode)),
      '## A fleet',
      table(head, rows(ofFleet)),
    ].join('\n\n'),
  }
}

/** Rows of a JSON schema: path, type, meaning. */
function schemaRows(schema, path = '') {
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
    const here = path === '' ? name : `${path}.${name}`
    const kind =
      one.const !== undefined
        ? JSON.stringify(one.const)
        : (one.enum?.map((value) => JSON.stringify(value)).join(', ') ?? one.type ?? '')
    const isRequired = schema.required?.includes(name) === true
    return [
      [code(here), `${kind}${isRequired ? ', required' : ''}`, one.description ?? ''],
      ...schemaRows(one, here),
    ]
  })
}

function brandPage(root) {
  const schema = JSON.parse(read(root, 'packages/brand/dist/brand.schema.json'))
  return {
    url: '/reference/brand-schema/',
    title: 'Brand schema',
    description: 'Every setting of a brand with its type, its default and an example.',
    order: 8,
    body: [
      'Every setting of `brand.ts`. The same schema as JSON comes with the package as `@hailstone/brand/brand.schema.json`.',
      table(['Setting', 'Type', 'Meaning'], schemaRows(schema)),
    ].join('\n\n'),
  }
}

const typeOf = (schema) => {
  if (schema === undefined) return ''
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`
  return [schema.type].flat().join(' or ')
}

/** Members of an answer as a list, two levels deep. */
function memberRows(schema, path = '', depth = 0) {
  if (schema === undefined || depth > 3) return []
  if (schema.anyOf) return schema.anyOf.flatMap((one) => memberRows(one, path, depth))
  if (schema.type === 'array') return memberRows(schema.items, `${path}[]`, depth + 1)
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
    const here = path === '' ? name : `${path}.${name}`
    return [[code(here), typeOf(one), one.description ?? ''], ...memberRows(one, here, depth + 1)]
  })
}

function httpPages(root) {
  const document = JSON.parse(read(root, 'packages/protocol/dist/openapi.json'))
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )
  const slug = (tag) => tag.toLowerCase().replaceAll(' ', '-')
  const pages = document.tags.map(({ name, description }, at) => {
    const parts = operations
      .filter(({ tags }) => tags.includes(name))
      .map(({ path, method, summary, description: about = '', parameters = [], requestBody, responses }) => {
        const answer = responses['200']?.content?.['application/json']?.schema
        const rows = memberRows(answer)
        return [
          `## ${method.toUpperCase()} ${path}`,
          `${summary}.`,
          about,
          parameters.length === 0
            ? ''
            : table(
                ['Parameter', 'Type', 'Meaning'],
                parameters.map((one) => [
                  code(one.name),
                  `${typeOf(one.schema)}${one.required ? ', required' : ''}`,
                  one.description ?? '',
                ]),
              ),
          requestBody === undefined ? '' : `Body: ${requestBody.description ?? 'JSON'}`,
          rows.length === 0 ? '' : table(['Member of the answer', 'Type', 'Meaning'], rows),
          `Statuses: ${Object.keys(responses).map(code).join(', ')}.`,
        ]
      })
    return {
      url: `/reference/http/${slug(name)}/`,
      title: `HTTP: ${name}`,
      label: name,
      description: shortened(description),
      order: at + 1,
      body: [description, ...parts.flat()].filter((part) => part !== '').join('\n\n'),
    }
  })
  const list = table(
    ['Operation', 'Meaning'],
    operations.map(({ path, method, summary, tags: [tag = ''] }) => [
      `[${code(`${method.toUpperCase()} ${path}`)}](/reference/http/${slug(tag)}/)`,
      summary,
    ]),
  )
  return [
    {
      url: '/reference/http/',
      title: 'HTTP interface',
      label: 'All operations',
      description: `All ${operations.length} operations of the HTTP interface, from openapi.json.`,
      order: 0,
      body: `All ${operations.length} operations, from \`openapi.json\`, which comes with \`@hailstone/protocol\`. Oddities that a schema cannot say are in [protocol 3](/protocol/3-http/). A local network serves the same reference with forms at \`/docs\`.\n\n${list}`,
    },
    ...pages,
  ]
}

function sizesPage(root) {
  const [, section = ''] = /^## Size\n([\s\S]*?)(?=^## )/m.exec(read(root, 'docs/measurements.md')) ?? []
  const entries = Object.entries(JSON.parse(read(root, 'packages/benchmarks/sizes.json')))
  const rows = entries.map(([entry, bytes]) => `| \`${entry}\` | ${bytes.toLocaleString('en')} |`)
  return {
    url: '/reference/sizes/',
    title: 'Sizes',
    description: 'Bytes that pages load for a mining node, and the limits that tests hold.',
    order: 10,
    body: `${section}\n## Every entry\n\nA page that uses every name of an entry:\n\n| Entry | Bytes |\n| --- | --- |\n${rows.join('\n')}\n`,
    path: 'docs/measurements.md',
  }
}

/** All pages that are generated, apart from those of the API. */
export const referencePages = (root, scratch) => [
  commandPage(),
  eventsPage(root, scratch),
  ...errorPages(root, scratch),
  ...findingPages(root),
  ...httpPages(root),
  brandPage(root),
  metricsPage(root),
  sizesPage(root),
]
