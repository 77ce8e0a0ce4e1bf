export function hasFonts(): boolean
export function installFonts(signal?: AbortSignal): Promise<boolean>
