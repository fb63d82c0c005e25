import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it, onTestFinished } from 'vitest'

const child = fileURLToPath(new URL('react-native-child.mjs', import.meta.url))

it('mines to a reward with what React Native has', async () => {
  await using network = await startLocalNetwork({ seed: 'native', blockTimeMs: 500, fallbackMiner: false })
  const { apiUrl, gatewayUrl, accounts } = network
  const [{ privateKey }] = accounts.developers
  const given = ['--conditions=react-native', child, apiUrl, gatewayUrl, privateKey]
  const mined = promisify(execFile)(process.execPath, given)
  onTestFinished(() => void mined.child.kill())
  const { stdout, stderr } = await mined
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    amount: expect.stringMatching(/^[1-9]\d+$/),
    aborted: 'AbortError',
  })
})
