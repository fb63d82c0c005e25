export declare const rows: readonly string[]
export declare const faultNames: readonly string[]
