import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const child = fileURLToPath(new URL('health-descriptors-child.mjs', import.meta.url))

it.skipIf(process.platform === 'win32')(
  'A-13: a process without descriptors answers /metrics, leaves out what it cannot read, and lives',
  async () => {
    const command = 'ulimit -n 64; exec "$0" "$@"'
    const miner = spawn('sh', ['-c', command, process.execPath, child], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const reported = async (): Promise<{ readonly port: number; readonly used: number }> => {
      const [message] = await once(miner, 'message')
      return message
    }
    const { port } = await reported()
    const ask = (path: string) =>
      new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
        const asked = request({ host: '127.0.0.1', port, path, agent }, (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk
          })
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        })
        asked.on('error', reject).end()
      })
    try {
      expect((await ask('/metrics')).text).toContain('process_resident_memory_bytes ')
      miner.send('use up the descriptors')
      expect((await reported()).used).toBeGreaterThan(5)
      const { status, text } = await ask('/metrics')
      expect(status).toBe(200)
      expect(text).not.toContain('process_resident_memory_bytes')
      expect(text).toContain('hailstone_uptime_seconds 1\n')
      expect((await ask('/health')).status).toBe(200)
      expect((await ask('/status')).status).toBe(500)
      expect(miner.exitCode).toBeNull()
    } finally {
      agent.destroy()
      miner.kill('SIGKILL')
      if (miner.exitCode === null && miner.signalCode === null) await once(miner, 'exit')
    }
  },
)
