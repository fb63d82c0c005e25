import type { RuntimeBrand } from '@hailstone/brand/runtime'

/** True if the coins of this brand are worth something. */
const hasValue = ({ network, environment }: RuntimeBrand): boolean =>
  network.preset === 'mainnet' || (network.preset === 'custom' && environment === 'prod')

/** Only where nothing can be lost may the backup wait, and where the brand says so. */
export const mayPostponeBackup = (brand: RuntimeBrand): boolean =>
  !brand.security.requireBackup || !hasValue(brand)

/** True if the key may be stored without a passphrase: only where nothing can be stolen, and where the brand says so. */
export const mayStayUnprotected = (brand: RuntimeBrand): boolean =>
  brand.security.lock === 'optional' && !hasValue(brand)
