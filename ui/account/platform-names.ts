export const platformNames = { MT4: 'MetaTrader 4', MT5: 'MetaTrader 5' } as const
