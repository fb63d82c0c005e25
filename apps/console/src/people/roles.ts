/** Roles from the least to the most; each may do all that the ones before it may. */
export const roles = ['viewer', 'support', 'analyst', 'admin', 'owner'] as const

/**
 * `viewer`: figures of the token. `support`: also one account by its address. `analyst`: also lists of accounts and
 * exports. `admin`: also what is set for everybody. `owner`: also people and tokens of the API.
 */
export type Role = (typeof roles)[number]

/** Roles of tokens of the API, which read and change nothing. */
export const tokenRoles = ['viewer', 'support', 'analyst'] as const

/** Figures that are lists of accounts, by their names in the API. */
export const listFigures: readonly string[] = ['miners', 'below', 'agents', 'payouts']

/** True if a role may do what another one is needed for. */
export const includesRole = (role: Role, needed: Role): boolean =>
  roles.indexOf(role) >= roles.indexOf(needed)
