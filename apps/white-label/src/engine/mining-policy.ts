/** Conditions under which mining pauses. */
export type MiningPolicy = {
  readonly wifiOnly: boolean
  readonly chargingOnly: boolean
  /** Percent, 0 … 90; 0 for never. */
  readonly minBattery: number
  /** `HH:MM` in local time; may cross midnight. */
  readonly quietHours: readonly { readonly from: string; readonly to: string }[]
}

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value)

/** True if a value that came from the storage or from another tab is a policy in all its parts. */
export function isMiningPolicy(value: unknown): value is MiningPolicy {
  if (typeof value !== 'object' || value === null) return false
  const { wifiOnly, chargingOnly, minBattery, quietHours } = value as Partial<
    Record<keyof MiningPolicy, unknown>
  >
  return (
    typeof wifiOnly === 'boolean' &&
    typeof chargingOnly === 'boolean' &&
    typeof minBattery === 'number' &&
    minBattery >= 0 &&
    minBattery <= 100 &&
    Array.isArray(quietHours) &&
    quietHours.length <= MAX_QUIET_HOURS &&
    quietHours.every((span) => isTime(span?.from) && isTime(span?.to))
  )
}

/** More spans than a day has hours are nobody's wish. */
export const MAX_QUIET_HOURS = 24

/** Returns the quiet hours that a person has added to those of the brand. */
export const addedQuietHours = (
  { quietHours }: Pick<MiningPolicy, 'quietHours'>,
  ofBrand: MiningPolicy['quietHours'],
): MiningPolicy['quietHours'] =>
  quietHours.filter(({ from, to }) => !ofBrand.some((span) => span.from === from && span.to === to))

/** Returns the policy that applies to what a person has chosen: the brand's, made stricter and never looser. */
export const stricterPolicy = (brand: MiningPolicy, chosen: MiningPolicy): MiningPolicy => ({
  wifiOnly: brand.wifiOnly || chosen.wifiOnly,
  chargingOnly: brand.chargingOnly || chosen.chargingOnly,
  minBattery: Math.max(brand.minBattery, chosen.minBattery),
  quietHours: [...brand.quietHours, ...addedQuietHours(chosen, brand.quietHours)],
})

/** Conditions that the page observed. Null if the browser does not reveal one. */
export type Conditions = {
  /** False while terms or an age of the brand wait for an answer. */
  readonly hasConsent: boolean
  readonly isOnline: boolean
  readonly isMetered: boolean | null
  readonly isCharging: boolean | null
  /** Percent; null if unknown. */
  readonly battery: number | null
  /** True if the brand pauses on heat and the device is hot. Known to the service of a package alone. */
  readonly isHot?: boolean
  /** True if the person has paused in the notification of a package. */
  readonly isHeld?: boolean
}

export type PauseReason =
  | 'consent'
  | 'offline'
  | 'metered'
  | 'notCharging'
  | 'battery'
  | 'quietHours'
  | 'heat'
  | 'held'

const minutesOf = (time: string): number => {
  const [hours = '0', minutes = '0'] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

function isWithin({ from, to }: { readonly from: string; readonly to: string }, minute: number): boolean {
  const [begin, end] = [minutesOf(from), minutesOf(to)]
  return begin <= end ? minute >= begin && minute < end : minute >= begin || minute < end
}

/** Returns why mining should pause now; null to continue. Unknown conditions never pause. */
export function pauseReason(policy: MiningPolicy, conditions: Conditions, now: Date): PauseReason | null {
  const { hasConsent, isOnline, isMetered, isCharging, battery } = conditions
  if (APP_HAS_SERVICE && conditions.isHeld) return 'held'
  const minute = now.getHours() * 60 + now.getMinutes()
  if (!hasConsent) return 'consent'
  if (!isOnline) return 'offline'
  if (APP_HAS_SERVICE && conditions.isHot) return 'heat'
  if (policy.wifiOnly && isMetered === true) return 'metered'
  if (policy.chargingOnly && isCharging === false) return 'notCharging'
  if (isCharging !== true && battery !== null && battery < policy.minBattery) return 'battery'
  if (policy.quietHours.some((span) => isWithin(span, minute))) return 'quietHours'
  return null
}
