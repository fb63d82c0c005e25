import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openProfile } from '@hailstone/test-browser'
import type { BrowserContext } from 'playwright-core'
import { afterEach } from 'vitest'

/** Browsers that keep what they store in a folder. */
export type Profiles = {
  readonly newFolder: () => Promise<string>
  readonly openIn: (folder: string) => Promise<BrowserContext>
}

/** Gives the tests of a file profiles of a phone, which are closed and deleted after each of them. */
export function useProfiles(): Profiles {
  const folders: string[] = []
  const profiles: BrowserContext[] = []
  afterEach(async () => {
    for (const profile of profiles.splice(0)) await profile.close().catch(() => undefined)
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return {
    newFolder: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'hailstone-profile-'))
      folders.push(folder)
      return folder
    },
    openIn: async (folder) => {
      const profile = await openProfile(folder, { viewport: { width: 390, height: 800 }, locale: 'en-US' })
      profiles.push(profile)
      return profile
    },
  }
}
