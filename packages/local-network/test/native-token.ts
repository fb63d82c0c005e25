import { parseTokenId, type TokenId, ZERO_TOKEN_ID } from '@hailstone/protocol'

/** Of the networks that tests start without naming one. */
export const NATIVE_TOKEN: TokenId = parseTokenId(process.env.HAILSTONE_NATIVE_TOKEN || ZERO_TOKEN_ID)
