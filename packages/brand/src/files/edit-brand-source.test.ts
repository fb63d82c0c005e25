import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { createJiti } from 'jiti'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlainData, PlainObject } from '../layers/plain-data.ts'
import { editBrandSource } from './edit-brand-source.ts'
import { writeBrandFile } from './write-brand-file.ts'

const jiti = createJiti(import.meta.url)
const given = (source: string): PlainData =>
  JSON.parse(
    JSON.stringify(
      (jiti.evalModule(source, { filename: '/brand.ts', ext: '.ts' }) as { default: unknown }).default,
    ),
  )

const data = (source: string, isJson: boolean): PlainData => (isJson ? JSON.parse(source) : given(source))

/** Sets members by their path; undefined removes one. */
function changed(value: PlainData, changes: Readonly<Record<string, PlainData | undefined>>): PlainData {
  const copy = structuredClone(value) as Record<string, PlainData>
  for (const [path, fresh] of Object.entries(changes)) {
    const keys = path.split('.')
    const last = keys.pop() ?? ''
    const place = keys.reduce((inner, key) => {
      const below = inner[key] ?? {}
      inner[key] = below
      return below as Record<string, PlainData>
    }, copy)
    if (fresh === undefined) delete place[last]
    else place[last] = fresh
  }
  return copy
}

function edit(source: string, changes: Readonly<Record<string, PlainData | undefined>>, isJson = false) {
  const before = data(source, isJson)
  const wanted = changed(before, changes)
  const { text, fault } = editBrandSource(source, isJson, before, wanted)
  if (fault === null) expect(data(text, isJson)).toStrictEqual(wanted)
  else expect(text).toBe(source)
  return fault ?? text
}

describe('the source of a brand', () => {
  it.each([
    [
      'a text',
      "export default { a: 'x', /* why */ b: 2 }",
      { a: "it's" },
      "export default { a: 'it\\'s', /* why */ b: 2 }",
    ],
    ['double quotes', 'export default { a: "x" } // end', { a: 'y"' }, 'export default { a: "y\\"" } // end'],
    ['a template without values', 'export default { a: `x` }', { a: 'y' }, "export default { a: 'y' }"],
    [
      'as const',
      "export default { a: 'x' as const } as const",
      { a: 'y' },
      "export default { a: 'y' as const } as const",
    ],
    [
      'satisfies',
      "export default { a: ('x') satisfies string } satisfies { a: string }",
      { a: 'y' },
      "export default { a: ('y') satisfies string } satisfies { a: string }",
    ],
    [
      'a constant that holds the object',
      'const prod: object = {\n  // here\n  a: 1,\n}\nexport default { environments: { prod } }',
      { 'environments.prod.a': 2 },
      'const prod: object = {\n  // here\n  a: 2,\n}\nexport default { environments: { prod } }',
    ],
    [
      'CRLF',
      'export default {\r\n  a: 1, // one\r\n}\r\n',
      { b: 2 },
      'export default {\r\n  a: 1, // one\r\n  b: 2,\r\n}\r\n',
    ],
    [
      'no trailing comma',
      'export default {\n\ta: 1 // one\n\t// end\n}',
      { b: { c: true } },
      'export default {\n\ta: 1, // one\n\tb: {\n\t\tc: true,\n\t}\n\t// end\n}',
    ],
    [
      'missing parents',
      'export default {\n  environments: {\n    // Later.\n    prod: {},\n  },\n}',
      { 'environments.prod.token.hash': 'ff' },
      'export default {\n  environments: {\n    // Later.\n    prod: {\n      token: {\n        hash: "ff",\n      },\n    },\n  },\n}'.replaceAll(
        '"',
        "'",
      ),
    ],
    [
      'an object on one line',
      'export default { a: { b: 1 } }',
      { 'a.c': 2 },
      'export default { a: { b: 1, c: 2 } }',
    ],
    [
      'an empty object on one line',
      'export default { a: {} }',
      { 'a.c': 2 },
      'export default { a: { c: 2 } }',
    ],
    [
      'a comment in an empty object',
      'export default { a: { /* none */ } }',
      { 'a.c': 2 },
      'export default { a: { c: 2, /* none */ } }',
    ],
    [
      'a setting that is removed, with its comments kept',
      'export default {\n  // above\n  a: 1, // beside\n  /* before */ b: 2,\n  c: 3,\n}',
      { a: undefined, b: undefined, c: undefined },
      'export default {\n  // above\n  // beside\n  /* before */ \n}',
    ],
    [
      'a comment inside what is removed',
      'export default { a: { /* x */ b: 1 }, c: 1 }',
      { a: undefined },
      'export default { /* x */ c: 1 }',
    ],
    ['the last one of a line', 'export default { a: 1, b: 2 }', { b: undefined }, 'export default { a: 1 }'],
    [
      'a list: another element',
      "export default { a: ['x', /* y */ 'y'] }",
      { a: ['x', 'z'] },
      "export default { a: ['x', /* y */ 'z'] }",
    ],
    [
      'a list: one more',
      "export default { a: ['x'] }",
      { a: ['x', 'y'] },
      "export default { a: ['x', 'y'] }",
    ],
    [
      'a list over lines: one more in front, and one less',
      "export default {\n  a: [\n    'x', // first\n    'y',\n  ],\n}",
      { a: ['w', 'x', 'y'] },
      "export default {\n  a: [\n    'w',\n    'x', // first\n    'y',\n  ],\n}",
    ],
    ['a list that becomes empty', "export default { a: ['x', 'y'] }", { a: [] }, 'export default { a: [] }'],
    [
      'null and numbers',
      'export default { a: null, b: -1 }',
      { a: 0, b: null },
      'export default { a: 0, b: null }',
    ],
    [
      'unicode',
      "export default { a: 'جمرة' /* 🌊 */, b: 1 }",
      { a: '潮🌊' },
      "export default { a: '潮🌊' /* 🌊 */, b: 1 }",
    ],
    [
      'keys in quotes',
      "export default { 'a-b': 1, [`c`]: 2, ['d']: 3 }",
      { 'a-b': 2, d: 4 },
      "export default { 'a-b': 2, [`c`]: 2, ['d']: 4 }",
    ],
    [
      'a spread before it',
      'const t = { a: 1, b: 1 }\nexport default { ...t, c: 1 }',
      { a: 2 },
      'const t = { a: 1, b: 1 }\nexport default { ...t, c: 1, a: 2 }',
    ],
    [
      'a program beside what is changed',
      "import { env } from 'node:process'\nexport default { a: env.NOBODY ?? 'x', b: 1 }",
      { b: 2 },
      "import { env } from 'node:process'\nexport default { a: env.NOBODY ?? 'x', b: 2 }",
    ],
  ] as const)('is changed in place: %s', (_, source, changes, expected) => {
    expect(edit(source, changes)).toBe(expected)
  })

  it.each([
    [
      'a computed value',
      "const x = 'y'\nexport default {\n  a: x + 'z',\n}",
      { a: 'q' },
      3,
      "a is computed: x + 'z'",
    ],
    [
      'a template with values',
      'const x = 1\nexport default {\n  a: `b$\x7bx}`,\n}',
      { a: 'q' },
      3,
      'a is computed',
    ],
    [
      'an imported constant',
      "import { sep } from 'node:path'\nexport default {\n  a: sep,\n}",
      { a: 'q' },
      3,
      'a is computed: sep',
    ],
    ['a shorthand', "const a = 'x'\nexport default {\n  a,\n}", { a: 'q' }, 3, 'a is computed'],
    ['a call', 'const f = () => ({ a: 1 })\nexport default f()', { a: 2 }, 2, 'a is computed: f()'],
    [
      'an element of a spread list',
      'const t = [1]\nexport default {\n  a: [...t, 2],\n}',
      { a: [1, 3] },
      3,
      'a[1] is not written here',
    ],
  ] as const)('is not changed, and its line is named: %s', (_, source, changes, line, why) => {
    expect(edit(source, changes)).toStrictEqual({ line, why: expect.stringContaining(why) })
  })

  it('is changed as JSON, without commas at the end', () => {
    expect(edit('{\n  "a": 1\n}\n', { b: { c: 'x' }, a: undefined }, true)).toBe(
      '{\n  "b": {\n    "c": "x"\n  }\n}\n',
    )
  })
})

/** One member of a source that is made up, with the noise around it. */
type Member = { readonly key: string; readonly value: PlainData | readonly Member[]; readonly noise: Noise }
type Noise = {
  readonly above: string
  readonly before: string
  readonly after: string
  readonly beside: string
}

let count = 0
const noise = fc.record({
  above: fc.constantFrom('', '\n', '  // a line\n', '  /* two\n  lines, { "x": 1 } */\n', "  // it's: 'a'\n"),
  before: fc.constantFrom(' ', '  ', ' /* b */ ', '\n      '),
  after: fc.constantFrom('', ' ', ' /* a */', ' as const'),
  beside: fc.constantFrom('', ' // beside', '\t/* x */', '  // `t` $\x7bx}'),
})
const key = fc.constantFrom('app', 'name', 'theme', 'a-b', 'été', 'x1', 'links', 'hash')
const leaf: fc.Arbitrary<PlainData> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.integer(),
  fc.boolean(),
  fc.array(fc.constantFrom('en', 'de', "l'a", '"'), { maxLength: 3 }),
)
const { members } = fc.letrec<{ members: readonly Member[]; member: Member }>((tie) => ({
  member: fc.record({
    key,
    value: fc.oneof({ depthSize: 'small', maxDepth: 3 }, leaf, tie('members')),
    noise,
  }) as fc.Arbitrary<Member>,
  members: fc.uniqueArray(tie('member'), { maxLength: 4, selector: (one) => one.key }),
}))

const isMembers = (value: unknown): value is readonly Member[] =>
  Array.isArray(value) && (value.length === 0 || typeof value[0] === 'object')
const isIdentifier = (text: string): boolean => /^[a-z]\w*$/.test(text)

function rendered(list: readonly Member[], newline: string, isLastBare: boolean): string {
  const rows = list.map(({ key: name, value, noise: { above, before, after, beside } }, index) => {
    count += 1
    const mark = beside.replace('x', `x${count}`)
    const inner = isMembers(value)
      ? rendered(value, '\n', isLastBare)
      : typeof value === 'string' && count % 2 === 0 && !/[\\'\n\r\u2028\u2029]/.test(value)
        ? `'${value}'`
        : JSON.stringify(value)
    const comma = isLastBare && index === list.length - 1 ? '' : ','
    const printed = isIdentifier(name) ? name : JSON.stringify(name)
    return `${above}  ${printed}:${before}${inner}${after}${comma}${mark}\n`
  })
  const text = rows.length === 0 ? '{}' : `{\n${rows.join('')}  }`
  return newline === '\n' ? text : text.replaceAll('\n', newline)
}

const dataIn = (list: readonly Member[]): PlainObject =>
  Object.fromEntries(list.map(({ key: name, value }) => [name, isMembers(value) ? dataIn(value) : value]))

const commentsOf = (text: string): readonly string[] => {
  const strings = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)/g
  return [...text.matchAll(strings)].flatMap(([, comment]) => (comment === undefined ? [] : [comment]))
}

describe('any brand with comments', () => {
  it('gives what is wanted after any changes, and keeps every comment in its order', () => {
    fc.assert(
      fc.property(
        members,
        members,
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (old, fresh, newline, bare) => {
          const source = `// first\nexport default ${rendered(old, newline, bare)} // last${newline}`
          const before = given(source)
          expect(before).toStrictEqual(JSON.parse(JSON.stringify(dataIn(old))))
          const wanted = JSON.parse(JSON.stringify(dataIn(fresh)))
          const { text, fault } = editBrandSource(source, false, before, wanted)
          expect(fault, source).toBeNull()
          expect(given(text), source).toStrictEqual(wanted)
          expect(commentsOf(text), `${source}\n${text}`).toStrictEqual(commentsOf(source))
        },
      ),
      { numRuns: 50 },
    )
  })

  it('keeps every other byte when settings get other values', () => {
    fc.assert(
      fc.property(
        members,
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.nat(),
        (old, newline, bare, seed) => {
          const source = `export default ${rendered(old, newline, bare)}`
          const before = given(source)
          const bit = (path: string): boolean => ((path.length * 31 + seed) & 1) === 0
          const other = (value: PlainData, path: string): PlainData => {
            if (typeof value === 'object' && value !== null && !Array.isArray(value))
              return Object.fromEntries(
                Object.entries(value).map(([name, inner]) => [name, other(inner, `${path}.${name}`)]),
              )
            return Array.isArray(value) || !bit(path) ? value : 987_654_321
          }
          const wanted = other(before, '')
          const { text, fault } = editBrandSource(source, false, before, wanted)
          expect(fault).toBeNull()
          expect(given(text)).toStrictEqual(wanted)
          // What is between the new values is what was between the old ones.
          const pieces = text.split('987654321')
          let from = 0
          for (const piece of pieces) {
            const at = source.indexOf(piece, from)
            expect(at, `${piece} of ${source}`).toBeGreaterThanOrEqual(from)
            from = at + piece.length
          }
          expect(source.startsWith(pieces[0] ?? '') && source.endsWith(pieces.at(-1) ?? '')).toBe(true)
        },
      ),
      { numRuns: 50 },
    )
  })
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'brand-file-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the file of a brand', () => {
  it('changes a setting, keeps the comments, and the file before', async () => {
    const source = "// Ours.\nexport default { a: 'x', b: 'own' }\n"
    await writeFile(join(folder, 'brand.ts'), source)
    const [before, config] = [
      { a: 'x', b: 'own' },
      { a: 'z', b: 'own' },
    ]
    expect(await writeBrandFile({ folder, fileName: 'brand.ts', before, config })).toBe(true)
    expect(await readFile(join(folder, 'brand.ts'), 'utf8')).toBe(source.replace("'x'", "'z'"))
    expect(await readFile(join(folder, 'brand.ts.before'), 'utf8')).toBe(source)
  })

  it('is not touched if somebody else has changed a setting since it was read, or while it is written', async () => {
    await rm(join(folder, 'brand.ts.before'), { force: true })
    const write = () =>
      writeBrandFile({ folder, fileName: 'brand.ts', before: { a: 'x', b: 'y' }, config: { a: 'z', b: 'y' } })
    const elsewhere = "export default { a: 'x', b: 'own' }\n"
    await writeFile(join(folder, 'brand.ts'), elsewhere)
    expect(await write()).toBe(false)
    // A program that changes its own file, as an editor does a moment after it was read.
    const restless = (text: string) =>
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(join(folder, 'brand.ts'))}, ${JSON.stringify(elsewhere)})\n${text}`
    await writeFile(join(folder, 'brand.ts'), restless("export default { a: 'x', b: 'y' }\n"))
    expect(await write()).toBe(false)
    expect(await readFile(join(folder, 'brand.ts'), 'utf8')).toBe(elsewhere)
    expect(await readdir(folder)).toStrictEqual(['brand.ts'])
  })

  it.each([
    [
      'a value that is computed',
      "const x = 'y'\nexport default {\n  a: x + 'z',\n}",
      { a: 'q' },
      'brand.ts, line 3: a is computed',
    ],
    // Two names for one object: a change of one is a change of both.
    [
      'an object with two names',
      'const t = { a: 1 }\nexport default {\n  b: t,\n  c: t,\n}',
      { b: { a: 2 }, c: { a: 1 } },
      'brand.ts, line 1: the program does not give',
    ],
    [
      'a member that a spread overrides',
      'const t = { a: 1 }\nexport default {\n  a: 2,\n  ...t,\n}',
      { a: 3 },
      'brand.ts, line 3: the program does not give',
    ],
  ])('is not touched, with the line named: %s', async (_, source, config, said) => {
    await rm(join(folder, 'brand.ts.before'), { force: true })
    await writeFile(join(folder, 'brand.ts'), source)
    const before = given(source)
    await expect(writeBrandFile({ folder, fileName: 'brand.ts', before, config })).rejects.toThrow(said)
    expect(await readFile(join(folder, 'brand.ts'), 'utf8')).toBe(source)
    expect(await readdir(folder)).toStrictEqual(['brand.ts'])
  })
})
