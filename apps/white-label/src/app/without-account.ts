import type { Preferences } from '../host/preferences.ts'

/** Returns the change that removes what the display settings know of a removed account; that of the others stays. */
export function withoutAccount(
  { campaign, cameBy, campaigns, awaitsReward, celebrates, offersInstall }: Preferences,
  address: string,
): Partial<Preferences> {
  const without = <T>(all: Readonly<Record<string, T>> | undefined): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(all ?? {}).filter(([of]) => of !== address))
  return {
    campaign: campaign?.address === address ? undefined : campaign,
    cameBy: without(cameBy),
    campaigns: without(campaigns),
    awaitsReward: awaitsReward === address ? null : awaitsReward,
    celebrates: celebrates === address ? null : celebrates,
    offersInstall: offersInstall === address ? false : offersInstall,
  }
}
