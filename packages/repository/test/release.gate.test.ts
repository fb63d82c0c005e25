// The rehearsal of a release: a registry and GitHub that fail at each request in turn, or end the release there.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const TAG = 'v1.2.3'

/** Counts a request, and fails it or ends the release before or after it is taken. */
const REQUEST = `n=$(( $(cat "$STATE/count") + 1 )); echo $n > "$STATE/count"
strike() { case "$1" in
  lost|refused) echo "503 Service Unavailable" >&2; exit 1;;
  *) kill -9 $PPID; exit 1;;
esac; }
[ "$AT" = $n ] && case "$FAULT" in refused|ended-before) strike "$FAULT";; esac
taken() { [ "$AT" = $n ] && case "$FAULT" in lost|ended-after) strike "$FAULT";; esac; return 0; }
`
/** Stands in for npm with its registry: a file for each version, which is never taken twice. */
const NPM = `#!/bin/sh
${REQUEST}
case "$1" in
view)
  file="$STATE/npm/$(echo "$2" | tr / _)"
  taken
  [ -f "$file" ] || { echo '{"error":{"code":"E404"}}'; exit 1; }
  cat "$file";;
publish)
  manifest=$(tar -xzOf "$2" package/package.json)
  name=$(echo "$manifest" | sed 's/.*"name":"\\([^"]*\\)".*/\\1/')
  version=$(echo "$manifest" | sed 's/.*"version":"\\([^"]*\\)".*/\\1/')
  file="$STATE/npm/$(echo "$name@$version" | tr / _)"
  [ -f "$file" ] && { echo "$name" >> "$STATE/twice"; echo "403 cannot publish over" >&2; exit 1; }
  echo "\\"sha512-$(openssl dgst -sha512 -binary "$2" | base64 -w0)\\"" > "$file"
  echo "$name" >> "$STATE/published"
  taken;;
esac
`
/** Stands in for gh: a folder for the release, and the files that are attached to it. */
const GH = `#!/bin/sh
${REQUEST}
release="$STATE/gh"
case "$2" in
view)
  taken
  [ -d "$release" ] || { echo "release not found" >&2; exit 1; }
  assets=""
  for path in "$release"/*; do
    [ -f "$path" ] || continue
    assets="$assets\${assets:+,}{\\"name\\":\\"$(basename "$path")\\",\\"state\\":\\"uploaded\\",\\"digest\\":\\"sha256:$(sha256sum "$path" | cut -d' ' -f1)\\"}"
  done
  echo "{\\"isDraft\\":$([ -f "$STATE/public" ] && echo false || echo true),\\"assets\\":[$assets]}";;
create)
  mkdir "$release" || exit 1
  echo create >> "$STATE/log"
  taken;;
upload)
  [ -d "$release" ] || exit 1
  echo "$(basename "$4")" >> "$STATE/uploaded"
  cp "$4" "$release/"
  taken;;
edit)
  touch "$STATE/public"
  taken;;
esac
`

const packages = [
  { name: '@hailstone/base', version: '1.2.3' },
  { name: '@hailstone/app', version: '1.2.3', dependencies: { '@hailstone/base': '^1.2.3' } },
]

let place: string
let packed: string
let state: string

let folders = 0
function folderOf(name: string): string {
  folders += 1
  const path = join(place, `${name}-${folders}`)
  mkdirSync(path)
  return path
}

function packInto(folder: string, manifest: (typeof packages)[number]): void {
  const at = folderOf('one')
  mkdirSync(join(at, 'package'))
  writeFileSync(join(at, 'package/package.json'), JSON.stringify(manifest))
  const file = `${manifest.name.replace(/^@/, '').replace('/', '-')}-${manifest.version}.tgz`
  const { status } = spawnSync('tar', ['-czf', join(folder, file), '-C', at, 'package'])
  expect(status).toBe(0)
}

function writeSums(folder: string): void {
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .sort()
  writeFileSync(join(folder, 'SHA256SUMS'), files.map((name) => `${digest(name)}  ${name}\n`).join(''))
}

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'hailstone-rehearsal-'))
  packed = join(place, 'packed')
  for (const folder of ['packed', 'bin', 'scripts']) mkdirSync(join(place, folder))
  for (const [name, text] of Object.entries({ npm: NPM, gh: GH })) {
    writeFileSync(join(place, 'bin', name), text)
    chmodSync(join(place, 'bin', name), 0o755)
  }
  cpSync(join(root, 'scripts/release.mjs'), join(place, 'scripts/release.mjs'))
  cpSync(join(root, 'scripts/release'), join(place, 'scripts/release'), { recursive: true })
  const project = readFileSync(join(root, 'scripts/project.mjs'), 'utf8')
  writeFileSync(
    join(place, 'scripts/project.mjs'),
    project.replace(/(https:\/\/\w+)\.invalid/g, '$1.example'),
  )
  writeFileSync(join(place, 'CHANGELOG.md'), '# Changes\n')
  for (const manifest of packages) packInto(packed, manifest)
  writeFileSync(join(packed, 'packages.json'), '{}\n')
  writeSums(packed)
})
afterAll(() => rmSync(place, { recursive: true, force: true }))
beforeEach(() => {
  state = folderOf('state')
  mkdirSync(join(state, 'npm'))
})

/** Runs both steps, as the workflow does; the second is reached only if the first is done. */
function release(fault = 'none', at = 0, folder = packed) {
  writeFileSync(join(state, 'count'), '0')
  let said = ''
  for (const words of [
    ['publish', folder],
    ['github', folder, TAG],
  ]) {
    const env = {
      ...process.env,
      ...{ PATH: `${join(place, 'bin')}:${process.env.PATH}`, STATE: state, FAULT: fault, AT: String(at) },
    }
    const ran = spawnSync(process.execPath, ['scripts/release.mjs', ...words], {
      cwd: place,
      env,
      encoding: 'utf8',
    })
    said += `${ran.stdout}${ran.stderr}`
    if (ran.status !== 0) return { isDone: false, said, requests: requests() }
  }
  return { isDone: true, said, requests: requests() }
}

const requests = (): number => Number(readFileSync(join(state, 'count'), 'utf8'))
const lines = (name: string): readonly string[] =>
  existsSync(join(state, name)) ? readFileSync(join(state, name), 'utf8').trim().split('\n') : []

function expectComplete(): void {
  expect(lines('published')).toStrictEqual(['@hailstone/base', '@hailstone/app'])
  expect(lines('twice')).toStrictEqual([])
  expect(lines('log')).toStrictEqual(['create'])
  expect(readdirSync(join(state, 'gh')).sort()).toStrictEqual(readdirSync(packed).sort())
  expect(existsSync(join(state, 'public'))).toBe(true)
}

describe('a release', () => {
  it('publishes each package after what it depends on, and attaches all files before it is public', () => {
    const { isDone, said } = release()
    expect(isDone, said).toBe(true)
    expectComplete()
    expect(lines('uploaded').toSorted()).toStrictEqual(readdirSync(packed).sort())
  })

  it('changes nothing when it is complete', () => {
    release()
    const { isDone, said } = release()
    expect(isDone, said).toBe(true)
    expect(said).toContain('@hailstone/base@1.2.3 is there already')
    expectComplete()
    expect(lines('uploaded')).toHaveLength(readdirSync(packed).length)
  })

  it.each(['refused', 'lost', 'ended-before', 'ended-after'])(
    'is completed by running it again, whichever request was %s',
    { timeout: 180_000 },
    (fault) => {
      const { requests: most } = release()
      for (let at = 1; at <= most; at += 1) {
        rmSync(state, { recursive: true })
        mkdirSync(join(state, 'npm'), { recursive: true })
        release(fault, at)
        const { isDone, said } = release()
        expect(isDone, `${fault} at ${at}: ${said}`).toBe(true)
        expectComplete()
      }
      expect(most).toBeGreaterThan(9)
    },
  )

  it('publishes nothing while the registry has other bytes under one of its names', () => {
    writeFileSync(join(state, 'npm', '@hailstone_app@1.2.3'), '"sha512-other"')
    const { isDone, said } = release()
    expect(isDone).toBe(false)
    expect(said).toContain('@hailstone/app@1.2.3 is in the registry with other bytes')
    expect(lines('published')).toStrictEqual([])
  })

  it('is told from one that has other bytes or is not complete, for the images', () => {
    const published = (): string => {
      const env = { ...process.env, PATH: `${join(place, 'bin')}:${process.env.PATH}`, STATE: state, AT: '0' }
      writeFileSync(join(state, 'count'), '0')
      const words = ['scripts/release.mjs', 'published', packed]
      return spawnSync(process.execPath, words, { cwd: place, env, encoding: 'utf8' }).stderr
    }
    expect(published()).toContain('@hailstone/base@1.2.3 is not published')
    release()
    expect(published()).toBe('')
    writeFileSync(join(state, 'npm', '@hailstone_app@1.2.3'), '"sha512-other"')
    expect(published()).toContain('@hailstone/app@1.2.3 is in the registry with other bytes')
  })

  it('is not made public with other bytes under one of its names', () => {
    mkdirSync(join(state, 'gh'))
    writeFileSync(join(state, 'gh', 'packages.json'), '{"other":1}')
    const { isDone, said } = release()
    expect(isDone).toBe(false)
    expect(said).toContain('packages.json of the release v1.2.3 has other bytes')
    expect(existsSync(join(state, 'public'))).toBe(false)
  })

  it('has the version of its tag, in every package', () => {
    const other = folderOf('other')
    cpSync(packed, other, { recursive: true })
    packInto(other, { name: '@hailstone/late', version: '1.2.2' })
    writeSums(other)
    const { isDone, said } = release('none', 0, other)
    expect([isDone, said]).toStrictEqual([
      false,
      expect.stringContaining('the tag v1.2.3 is not the version of @hailstone/late, 1.2.2'),
    ])
  })
})
