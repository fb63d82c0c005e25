import { parseTokenId, type TokenId, ZERO_TOKEN_ID } from '@hailstone/protocol'

/** That of the networks which the file of tests starts without naming one: each file draws its own. */
export const nativeToken = (): TokenId => parseTokenId(process.env.HAILSTONE_NATIVE_TOKEN || ZERO_TOKEN_ID)
