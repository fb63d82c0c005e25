/** Campaigns of one account as an agent. */
export type OwnCampaigns = {
  /** Names, oldest first. */
  readonly names: readonly string[]
  /** Name of the campaign of each invited miner that has one, by address. */
  readonly campaignOf: Readonly<Record<string, string>>
}

export const NO_CAMPAIGNS: OwnCampaigns = { names: [], campaignOf: {} }

/** Adds a campaign. One that is there stays. */
export const withCampaign = (own: OwnCampaigns, name: string): OwnCampaigns =>
  own.names.includes(name) ? own : { ...own, names: [...own.names, name] }

/** Removes a campaign, from its people too: a later one of the same name begins with nobody. */
export const withoutCampaign = ({ names, campaignOf }: OwnCampaigns, name: string): OwnCampaigns => ({
  names: names.filter((one) => one !== name),
  campaignOf: Object.fromEntries(Object.entries(campaignOf).filter(([, one]) => one !== name)),
})

/** Notes the campaign of an invited miner; null for none. */
export function withMiner(
  { names, campaignOf }: OwnCampaigns,
  { address, name }: { readonly address: string; readonly name: string | null },
): OwnCampaigns {
  const { [address]: _, ...others } = campaignOf
  return { names, campaignOf: name === null ? others : { ...others, [address]: name } }
}
