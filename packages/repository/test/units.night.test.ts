import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { walletFromPrivateKey } from '@hailstone/client'
import { sha256Hex } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installDebian, missingForMachines } from './debian-machine.ts'

type Scripts = {
  readonly output: (program: string, words: readonly string[]) => string
  readonly installPackages: (folder: string, tarballs: string, names: readonly string[]) => void
}
const scripts = new URL('../../../scripts/', import.meta.url).href
const { output } = (await import(/* @vite-ignore */ `${scripts}node-binaries.mjs`)) as Scripts
const { installPackages } = (await import(/* @vite-ignore */ `${scripts}image.mjs`)) as Scripts

const root = fileURLToPath(new URL('../../../', import.meta.url))
const missing = missingForMachines()
const KILLS = 50
/** Debian and its systemd: the oldest that the page names, and the newest. */
const RELEASES = [
  ['bookworm', 252],
  ['trixie', 257],
] as const

/** Each service with its port and a path that answers 200 while it works: while a miner and a fleet mine. */
const SERVICES = {
  'hailstone-network': { port: 4410, path: '/api/v1/height' },
  'hailstone-bridge': { port: 4422, path: '/readyz' },
  'hailstone-mine@first': { port: 4420, path: '/readyz' },
  'hailstone-fleet': { port: 4421, path: '/readyz' },
} as const
type Service = keyof typeof SERVICES
const services = Object.keys(SERVICES) as Service[]
const [network, ...others] = services

const keys = ['first', 'second', 'third'].map((name) => sha256Hex(`units: ${name}`))
const WEBHOOK = '\n[webhook]\nurl = "http://127.0.0.1:9/"\nsecret-file = '
const credential = (service: string): string => `"/run/credentials/${service}.service/webhook.secret"\n`
const FILES: Readonly<Record<string, string>> = {
  'first.key': `${keys[0]}\n`,
  'fleet.keys': `${keys[1]}\n${keys[2]}\n`,
  'webhook.secret': `whsec_${Buffer.from('units of the night, a secret of them').toString('base64')}\n`,
  'first.toml': `network = "local"\nhealth-port = 4420\n${WEBHOOK}${credential('hailstone-mine@first')}`,
  'fleet.toml': `network = "local"\nhealth-port = 4421\n${WEBHOOK}${credential('hailstone-fleet')}`,
  'bridge.toml': `upstream = ["ws://127.0.0.1:4411"]\nhealth-port = 4422\n${WEBHOOK}${credential('hailstone-bridge')}`,
}

let packed: string
beforeAll(() => {
  packed = mkdtempSync(join(tmpdir(), 'hailstone-units-'))
  if (missing !== null) return
  output(process.execPath, [join(root, 'scripts', 'pack.mjs'), '--out', join(packed, 'archives')])
  installPackages(join(packed, 'kit'), join(packed, 'archives'), ['hailstone', '@hailstone/local-network'])
})
afterAll(() => rmSync(packed, { recursive: true, force: true }))

describe.skipIf(missing !== null).each(RELEASES)(
  `systemd units in Debian %s${missing === null ? '' : ` (left out: ${missing})`}`,
  (release, version) => {
    let machine: ReturnType<typeof installDebian>

    /** As docs/operations/service.md says, from the packed packages. */
    function installKit(): void {
      cpSync(join(packed, 'kit'), join(machine.place, 'opt', 'hailstone'), { recursive: true })
      copyFileSync(process.execPath, join(machine.place, 'usr', 'bin', 'node'))
      for (const [name, from] of [
        ['hailstone', 'hailstone'],
        ['hailstone-network', '@hailstone/local-network'],
      ] as const)
        symlinkSync(
          `/opt/hailstone/node_modules/${from}/dist/bin.js`,
          join(machine.place, 'usr', 'bin', name),
        )
      const units = join(machine.place, 'etc', 'systemd', 'system')
      cpSync(join(root, 'ops', 'systemd'), units, { recursive: true })
      const more = 'LoadCredential=webhook.secret:/etc/hailstone/webhook.secret\n'
      for (const service of others) {
        mkdirSync(join(units, `${service}.service.d`))
        const port = `SocketBindAllow=ipv4:tcp:${SERVICES[service].port}\n`
        writeFileSync(join(units, `${service}.service.d`, 'more.conf'), `[Service]\n${more}${port}`)
      }
      mkdirSync(join(machine.place, 'etc', 'hailstone'))
      for (const [name, text] of Object.entries(FILES)) {
        const path = join(machine.place, 'etc', 'hailstone', name)
        writeFileSync(path, text)
        chmodSync(path, 0o400)
      }
      for (const name of Object.keys(FILES).filter((file) => file.endsWith('.toml')))
        chmodSync(join(machine.place, 'etc', 'hailstone', name), 0o644)
    }

    const shown = async (service: Service, property: string): Promise<string> =>
      (await machine.run('systemctl', 'show', '--value', '-p', property, service)).said
    const journal = async (...words: readonly string[]): Promise<string> =>
      (await machine.run('journalctl', '--no-pager', '-o', 'cat', ...words)).said
    async function answer(service: Service): Promise<string> {
      const { port, path } = SERVICES[service]
      const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET ${path} HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && cat <&3`
      return (await machine.run('bash', '-c', ask)).said
    }
    const works = async (service: Service): Promise<boolean> => /^HTTP\S+ 200/.test(await answer(service))
    const height = async (): Promise<number> =>
      Number(/"height":(\d+)/.exec(await answer('hailstone-network'))?.[1] ?? -1)
    const systemctl = async (...words: readonly string[]): Promise<void> =>
      expect(await machine.run('systemctl', ...words)).toMatchObject({ status: 0 })
    async function allWork(names: readonly Service[] = services): Promise<void> {
      for (const service of names) {
        const wait = expect.poll(() => works(service), { interval: 250, timeout: 240_000 }).toBe(true)
        await wait.catch(async () => expect.fail(`${service}: ${await journal('-n', '30', '-u', service)}`))
      }
    }

    /** Kills a service again and again while it works; each kill costs one start, which works. */
    async function survives(service: Service): Promise<void> {
      const before = Number(await shown(service, 'NRestarts'))
      for (let kill = 1; kill <= KILLS; kill++) {
        await systemctl('kill', '--signal=KILL', service)
        const restarts = async () => Number(await shown(service, 'NRestarts')) - before
        await expect.poll(restarts, { interval: 250 }).toBe(kill)
        await allWork([service])
      }
      expect([await shown(service, 'NRestarts'), await shown(service, 'ActiveState')]).toEqual([
        String(before + KILLS),
        'active',
      ])
    }

    beforeAll(async () => {
      machine = installDebian(release)
      installKit()
      await machine.boot()
    }, 1_200_000)
    afterAll(async () => machine?.remove())

    it('have no setting that this systemd does not know', async () => {
      expect((await machine.run('systemctl', '--version')).said).toMatch(new RegExp(`^systemd ${version} `))
      const units = services.map((service) => `/etc/systemd/system/${service.replace('first', '')}.service`)
      expect(await machine.run('systemd-analyze', 'verify', ...units)).toEqual({ status: 0, said: '' })
    })

    it('start with credentials that root alone can read, and mine to a reward', async () => {
      await systemctl('enable', '--now', ...services)
      await expect.poll(height, { interval: 250 }).toBeGreaterThanOrEqual(0)
      for (const key of keys) {
        const { address } = walletFromPrivateKey(key)
        const given = await machine.run('hailstone', 'faucet', '--network', 'local', address)
        expect(given).toMatchObject({ status: 0 })
      }
      await allWork()
      const rewards = async () => await journal('-u', 'hailstone-mine@first')
      await expect.poll(rewards, { interval: 1_000 }).toContain('reward of')
    })

    it('may open the ports that they name, and say so of another one', async ({ skip }) => {
      const { said } = await machine.run('systemctl', '--version')
      skip(!said.includes('+BPF_FRAMEWORK'), 'this systemd was built without SocketBindAllow')
      const folder = '/run/systemd/system/hailstone-bridge.service.d'
      const only = '[Service]\\nSocketBindAllow=\\nSocketBindAllow=ipv4:tcp:4430\\n'
      const put = `mkdir -p ${folder} && printf '${only}' > ${folder}/only.conf && systemctl daemon-reload`
      expect(await machine.run('sh', '-c', put)).toMatchObject({ status: 0 })
      await systemctl('restart', 'hailstone-bridge')
      await expect.poll(() => shown('hailstone-bridge', 'ActiveState')).toBe('failed')
      expect(await journal('-u', 'hailstone-bridge', '-n', '10')).toContain('SocketBindAllow')
      await machine.run('rm', '-r', folder)
      await systemctl('daemon-reload')
      await systemctl('start', 'hailstone-bridge')
      await allWork()
    })

    it(`come back by themselves from each of ${KILLS} kills`, async () => {
      await Promise.all(others.map(survives))
      await survives(network as Service)
      await allWork()
      expect(await journal('--grep', 'HAILSTONE_LOCK|is held|KEY_IN_USE')).toMatch(/^(-- No entries --)?$/)
    }, 3_600_000)

    it('read their configuration again, restart, and stay down when they are stopped', async () => {
      for (const service of others) await systemctl('reload', service)
      await allWork()
      await systemctl('restart', ...services)
      await allWork()
      await systemctl('stop', ...services)
      for (const service of services)
        expect([await shown(service, 'ActiveState'), await shown(service, 'Result')]).toEqual([
          'inactive',
          'success',
        ])
      await systemctl('start', ...services)
      await allWork()
    })

    it('mine on after a power cut, with the chain that was there', async () => {
      const before = await height()
      await machine.cut()
      await machine.boot()
      await allWork()
      expect(await height()).toBeGreaterThanOrEqual(before)
      const rewards = async () => await journal('-b', '-u', 'hailstone-mine@first')
      await expect.poll(rewards, { interval: 1_000 }).toContain('reward of')
    }, 600_000)
  },
)
