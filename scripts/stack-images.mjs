// Images of Caddy, PostgreSQL and Prometheus, made of the programs that Debian installed on this machine. They stand in
// for those that ops/compose/compose.yaml takes from a registry, where none can be reached.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './bootstrap.mjs'
import { buildah, librariesOf, missingToRun, put } from './image.mjs'

const context = join(root, '.hailstone', 'stack')
const POSTGRES = '/usr/lib/postgresql'
const versionOfPostgres = () => (existsSync(POSTGRES) ? readdirSync(POSTGRES).sort().at(-1) : undefined)

/** Programs beside those of an image, and the package of Debian that has them. */
const NEEDED = [
  ['caddy', 'caddy', 'version'],
  ['prometheus', 'prometheus', '--version'],
  ['podman-compose', 'podman-compose', '--help'],
]

/** Returns why the services of the compose file cannot be started here; null if they can. */
export function missingForStack() {
  const missing = NEEDED.filter(([, program, word]) => spawnSync(program, [word]).error !== undefined)
  const names = missing.map(([debian]) => debian)
  if (versionOfPostgres() === undefined) names.push('postgresql')
  if (!existsSync('/usr/lib/podman/netavark')) names.push('netavark')
  if (!existsSync('/usr/lib/podman/aardvark-dns')) names.push('aardvark-dns')
  if (missingToRun() !== null) return missingToRun()
  if (names.length > 0) return `not installed: apt-get install ${names.join(' ')}`
  // Podman keeps the kind of network of its first start. That of CNI does not resolve the names of services.
  const info = ['info', '--format', '{{.Host.NetworkBackend}}']
  const kind = spawnSync('podman', info, { encoding: 'utf8' }).stdout.trim()
  return kind === 'netavark' ? null : `Podman began with ${kind}, without netavark: podman system reset`
}

/** Copies programs with the libraries that they load. */
function putPrograms(folder, programs) {
  for (const program of programs) {
    put(program, join(folder, program))
    for (const library of librariesOf(program)) put(library, join(folder, library))
  }
}

function putText(path, text, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
}

function putUsers(folder) {
  const users = ['root:x:0:0::/:', 'postgres:x:999:999::/var/lib/postgresql:', 'nobody:x:65534:65534::/:']
  putText(join(folder, 'etc', 'passwd'), `${users.map((user) => `${user}/nologin`).join('\n')}\n`)
  putText(join(folder, 'etc', 'group'), 'root:x:0:\npostgres:x:999:\nnogroup:x:65534:\n')
  putText(join(folder, 'etc', 'nsswitch.conf'), 'hosts: files dns\n')
  mkdirSync(join(folder, 'tmp'), { recursive: true })
  chmodSync(join(folder, 'tmp'), 0o1777)
}

/** Does what the entry of the image `postgres` does with the same settings. */
const POSTGRES_ENTRY = `#!/bin/sh
set -eu
data=/var/lib/postgresql/data
as() { setpriv --reuid 999 --regid 999 --clear-groups "$@"; }
if [ ! -s $data/PG_VERSION ]; then
  password=/tmp/password
  (umask 077; cat "$POSTGRES_PASSWORD_FILE" > $password)
  chown 999:999 $data $password
  as initdb --pgdata=$data --username="$POSTGRES_USER" --pwfile=$password --auth=scram-sha-256 --encoding=UTF8 --no-locale
  rm $password
  echo 'host all all all scram-sha-256' >> $data/pg_hba.conf
  echo "CREATE DATABASE \\"$POSTGRES_DB\\"" | as postgres --single -D $data postgres
fi
exec setpriv --reuid 999 --regid 999 --clear-groups postgres -D $data -c listen_addresses='*' "$@"
`

/** The compiler of queries brings 100 MB of libraries along. */
const isNeeded = (file) => !/bitcode|llvmjit|\/locale\//.test(file)

const IMAGES = {
  caddy: {
    fill: (folder) => putPrograms(folder, ['/usr/bin/caddy']),
    lines: [
      'ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data',
      'CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]',
    ],
  },
  prometheus: {
    fill: (folder) => putPrograms(folder, ['/usr/bin/prometheus']),
    lines: [
      'USER 65534',
      'WORKDIR /prometheus',
      'ENTRYPOINT ["/usr/bin/prometheus"]',
      'CMD ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]',
    ],
    owner: { path: '/prometheus', id: 65534 },
  },
  postgres: {
    fill: (folder) => {
      const version = versionOfPostgres()
      const home = join(POSTGRES, version)
      const programs = ['initdb', 'postgres'].map((name) => join(home, 'bin', name))
      const tools = ['/bin/sh', '/bin/cat', '/bin/chown', '/bin/rm', '/usr/bin/setpriv']
      putPrograms(folder, [...programs, ...tools])
      for (const path of [join(home, 'lib'), join('/usr/share/postgresql', version), '/usr/share/zoneinfo'])
        cpSync(path, join(folder, path), { recursive: true, filter: isNeeded })
      for (const file of readdirSync(join(folder, home, 'lib')).filter((name) => name.endsWith('.so')))
        for (const library of librariesOf(join(home, 'lib', file))) put(library, join(folder, library))
      putText(join(folder, 'entry'), POSTGRES_ENTRY, 0o755)
      mkdirSync(join(folder, '/var/lib/postgresql/data'), { recursive: true })
    },
    lines: [
      `ENV PATH=${join(POSTGRES, '%')}/bin:/usr/bin:/bin`,
      'STOPSIGNAL SIGINT',
      'ENTRYPOINT ["/entry"]',
    ],
    owner: { path: '/var/run/postgresql', id: 999 },
  },
}

/** Builds the images; returns the name of each by its service. */
export function buildStackImages() {
  return Object.fromEntries(
    Object.entries(IMAGES).map(([name, { fill, lines, owner }]) => {
      const folder = join(context, name)
      const image = `localhost/hailstone-stack-${name}:local`
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(join(folder, 'root'), { recursive: true })
      putUsers(join(folder, 'root'))
      fill(join(folder, 'root'))
      mkdirSync(join(folder, 'own'))
      const own = owner === undefined ? [] : [`COPY --chown=${owner.id}:${owner.id} own/ ${owner.path}/`]
      const text = ['FROM scratch', 'COPY root/ /', ...own, ...lines]
        .join('\n')
        .replaceAll('%', versionOfPostgres() ?? '')
      putText(join(folder, 'Containerfile'), `${text}\n`)
      buildah(
        'bud',
        '--quiet',
        '--format',
        'docker',
        '-t',
        image,
        '-f',
        join(folder, 'Containerfile'),
        folder,
      )
      rmSync(folder, { recursive: true, force: true })
      return [name, image]
    }),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = missingForStack()
  if (missing !== null) {
    process.stderr.write(`${missing}\n`)
    process.exit(1)
  }
  for (const image of Object.values(buildStackImages())) process.stdout.write(`${image}\n`)
}
