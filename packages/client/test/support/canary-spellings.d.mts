export declare const canary: { readonly privateKey: string; readonly password: string }
export declare const spellings: readonly string[]
export declare function findCanary(text: string): readonly string[]
