import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'

/** A place of Debian's packages that apt of this machine uses. */
function mirror(): string | undefined {
  const asked = ['indextargets', '--format', '$(REPO_URI)', 'Origin: Debian', 'Label: Debian']
  return spawnSync('apt-get', asked, { encoding: 'utf8' }).stdout?.split('\n').find(Boolean)
}

const lacks = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined

/** Returns why no machine with a systemd of its own can be started here; null if one can. */
export function missingForMachines(): string | null {
  if (process.platform !== 'linux') return 'systemd runs on Linux'
  if (lacks('systemd-nspawn') || lacks('debootstrap'))
    return 'not installed: apt-get install systemd-container debootstrap'
  if (!readFileSync('/proc/filesystems', 'utf8').includes('cgroup2')) return 'the kernel has no cgroup2'
  if (mirror() === undefined) return 'apt names no place of the packages of Debian'
  return process.getuid?.() === 0 ? null : 'machines of this test are started by root'
}

/**
 * Boots in namespaces of its own, so that the death of the first process ends all and leaves no mount. systemd takes its
 * control groups from a tree without those of version 1; libbpf and `bpf` are for SocketBindAllow.
 */
const BOOT = `set -e
mount -t tmpfs none /run
mount -t cgroup2 none /sys/fs/cgroup
group=/sys/fs/cgroup/$2
# Processes that were killed leave their group a moment later.
while test -d $group; do find $group -depth -type d -exec rmdir {} + 2> /dev/null || sleep 0.1; done
test "$3" = boot || exit 0
mkdir $group
echo 0 > $group/cgroup.procs
systemd-nspawn --quiet --register=no --keep-unit --boot --directory="$1" --machine="$2" --private-network \\
  --capability=CAP_BPF --system-call-filter=bpf --console=pipe
`
const NAMESPACES = ['--mount', '--pid', '--mount-proc', '--fork', '--kill-child']

/** The process below another one that is the first of a machine; undefined while there is none. */
function firstProcessBelow(processId: number): number | undefined {
  try {
    if (readFileSync(`/proc/${processId}/comm`, 'utf8') === 'systemd\n') return processId
    const children = readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8').trim()
    for (const child of children.split(' ').filter(Boolean)) {
      const found = firstProcessBelow(Number(child))
      if (found !== undefined) return found
    }
  } catch {
    // It ended meanwhile.
  }
  return undefined
}

/** The smallest Debian of a release with its systemd, in a folder; off. */
export function installDebian(release: string) {
  const folder = mkdtempSync(join(tmpdir(), `hailstone-${release}-`))
  const name = `hailstone-${release}-${process.pid}`
  const place = join(folder, 'machine')
  const script = join(folder, 'boot.sh')
  writeFileSync(script, BOOT)
  const words = ['--variant=minbase', '--include=systemd-sysv,dbus,libbpf1', release, place, mirror() ?? '']
  execFileSync('debootstrap', words, { stdio: 'pipe', maxBuffer: 1e8 })
  let running: { readonly cut: () => Promise<void>; readonly first: () => number | undefined } | null = null

  /** Runs a program in the machine. */
  const run = (...given: readonly string[]): Promise<{ readonly status: number; readonly said: string }> =>
    new Promise((resolve) => {
      const into = ['--target', String(running?.first() ?? 0), '-m', '-u', '-i', '-n', '-p', '-C', '--']
      execFile('nsenter', [...into, ...given], { timeout: 120_000 }, (error, stdout, stderr) =>
        resolve({ status: Number(error?.code ?? 0), said: `${stdout}${stderr}`.trim() }),
      )
    })

  return {
    place,
    run,
    boot: async (): Promise<void> => {
      const outside = spawn('unshare', [...NAMESPACES, 'sh', script, place, name, 'boot'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      // The first process of the machine has this pipe too: it closes when all of the machine has ended.
      outside.stdout.resume()
      const ended = new Promise<void>((resolve) => outside.once('close', () => resolve()))
      const cut = async (): Promise<void> => {
        outside.kill('SIGKILL')
        await ended
      }
      running = { cut, first: () => firstProcessBelow(outside.pid ?? 0) }
      const isRunning = async () => (await run('systemctl', 'is-system-running')).said === 'running'
      await vi.waitUntil(isRunning, { interval: 250, timeout: 120_000 })
    },
    /** Ends everything in the machine at once, as a power cut does. */
    cut: async (): Promise<void> => running?.cut(),
    remove: async (): Promise<void> => {
      await running?.cut()
      execFileSync('unshare', [...NAMESPACES, 'sh', script, place, name, 'end'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
