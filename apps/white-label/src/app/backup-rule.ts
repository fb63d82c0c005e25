import type { RuntimeBrand } from '@hailstone/brand/runtime'

/** True if the token has monetary value; enables the stricter rules for keys. */
const hasValue = ({ network, environment }: RuntimeBrand): boolean =>
  network.preset === 'mainnet' || (network.preset === 'custom' && environment === 'prod')

/** True if the backup may be postponed: the brand allows it or the token has no monetary value. */
export const mayPostponeBackup = (brand: RuntimeBrand): boolean =>
  !brand.security.requireBackup || !hasValue(brand)

/** True if the key may be stored without a passphrase: the brand allows it and the token has no monetary value. */
export const mayStayUnprotected = (brand: RuntimeBrand): boolean =>
  brand.security.lock === 'optional' && !hasValue(brand)
