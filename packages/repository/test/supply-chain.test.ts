import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

type Component = {
  readonly 'bom-ref': string
  readonly name: string
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[]
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
}
type Bill = {
  readonly bomFormat: string
  readonly specVersion: string
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

const print = (): string =>
  execFileSync(process.execPath, [join(root, 'scripts/sbom.mjs')], { encoding: 'utf8', maxBuffer: 1e8 })

let text: string
let bill: Bill
beforeAll(() => {
  text = print()
  bill = JSON.parse(text) as Bill
})

const isOurs = ({ name }: Component): boolean =>
  /^@hailstone\/|^(?:create-)?hailstone(?:-network|-brand|-indexer)?$/.test(name)

/** Everything that a package needs, through others too. */
function needs(name: string): ReadonlySet<string> {
  const all = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const own = bill.components.find((component) => component.name === name)
  if (own === undefined) throw new Error(`${name} is not in the bill`)
  const seen = new Set<string>()
  const add = (ref: string): void => {
    if (seen.has(ref)) return
    seen.add(ref)
    for (const one of all.get(ref) ?? []) add(one)
  }
  add(own['bom-ref'])
  return seen
}

describe('S-10: the bill of materials', () => {
  it('is CycloneDX, and the same bytes each time', () => {
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
    expect(print()).toBe(text)
    expect(text).not.toMatch(/timestamp|serialNumber|https?:/)
  })

  it('names each package once, with its licence and the hash that the lockfile pins', () => {
    const refs = bill.components.map((component) => component['bom-ref'])
    expect(new Set(refs).size).toBe(refs.length)
    for (const component of bill.components) {
      expect(component['bom-ref']).toMatch(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/)
      const [hash] = component.hashes ?? []
      if (!isOurs(component))
        expect(hash, component.name).toEqual({
          alg: 'SHA-512',
          content: expect.stringMatching(/^[0-9a-f]{128}$/),
        })
    }
    for (const { ref, dependsOn } of bill.dependencies)
      for (const one of [...dependsOn, ...(ref === 'hailstone' ? [] : [ref])]) expect(refs).toContain(one)
  })

  it('holds licences alone that may be delivered with ours', () => {
    const fine = /^(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|MPL-2\.0|CC0-1\.0|Unlicense)$/
    /** One name, or a choice of several of which one will do. */
    const isFine = ({ license, expression = '' }: Component['licenses'][number]): boolean =>
      [license?.id ?? '', ...expression.split(/[() ]|\bOR\b/)].some((id) => fine.test(id)) &&
      !/\b(?:AND|WITH)\b/.test(expression)
    const others = bill.components.filter(({ licenses }) => licenses.length === 0 || !licenses.every(isFine))
    expect(others.map(({ name, licenses }) => ({ name, licenses }))).toEqual([])
  })

  it('of client and mining node has four packages of others at most', () => {
    const foreign = bill.components.filter(
      (component) =>
        !isOurs(component) &&
        [...needs('@hailstone/client'), ...needs('@hailstone/mining-node')].includes(component['bom-ref']),
    )
    expect(foreign.length).toBeGreaterThan(0)
    expect(foreign.map(({ name }) => name).length).toBeLessThanOrEqual(4)
  })
})

const workspace = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')

it('S-10: the bill names what the pages of the local network contain, and nothing of it is installed', () => {
  const [ref] = [...needs('@hailstone/local-network')].filter((one) => one.includes('%40scalar'))
  expect(bill.components.find((component) => component['bom-ref'] === ref)).toMatchObject({
    name: '@scalar/api-reference',
    licenses: [{ license: { id: 'MIT' } }],
  })
  const manifest = readFileSync(join(root, 'packages/local-network/package.json'), 'utf8')
  expect(Object.keys(JSON.parse(manifest).dependencies)).not.toContain('@scalar/api-reference')
})

describe('S-10: the installer', () => {
  it('runs scripts of no package but of the installer itself', () => {
    const [, builds = ''] = /^allowBuilds:\n((?: .*\n)*)/m.exec(workspace) ?? []
    expect([...builds.matchAll(/^ +(\S+): true/gm)].map(([, name]) => name)).toEqual(['pnpm'])
  })

  it('installs what the lockfile names, each with its hash', () => {
    const lock = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')
    const packages = lock.slice(lock.indexOf('\npackages:'), lock.indexOf('\nsnapshots:'))
    const entries = packages.match(/^ {4}resolution: .*$/gm) ?? []
    expect(entries.length).toBeGreaterThan(100)
    expect(entries.filter((entry) => !/integrity: sha512-/.test(entry))).toEqual([])
  })
})
