import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { mountSmallDisk, smallDiskMissing } from '../../../packages/local-network/test/small-disk.ts'
import { startDemo } from './demo-process.ts'

const leftOut = smallDiskMissing === null ? '' : ` – left out: ${smallDiskMissing}`

it.runIf(smallDiskMissing === null)(
  `says once that the disk is full, and that it goes on when there is room${leftOut}`,
  async () => {
    const disk = await mountSmallDisk(64)
    const demo = startDemo({ dataDirectory: join(disk.folder, 'chain') })
    try {
      await demo.printed(/Agent earned/)
      await disk.fill()
      await demo.printed(/The network: the macroblock could not be closed: .*[Nn]o space/)
      const health = `${new URL((await demo.printed(/http:\S+\/api\/v1/))[0]).origin}/health`
      // It is asked for as long as it takes to try several times.
      const stuckMs = async (): Promise<number> => {
        const { last_block_age_ms } = (await (await fetch(health)).json()) as { last_block_age_ms: number }
        return last_block_age_ms
      }
      while ((await stuckMs()) < 5_000) await setTimeout(100)
      await disk.makeRoom()
      await demo.printed(/closes macroblocks again/)
      expect(demo.output().match(/could not be closed/g)).toHaveLength(1)
    } finally {
      demo.child.kill('SIGINT')
      await demo.exitCode
      await disk.stop()
    }
  },
)
