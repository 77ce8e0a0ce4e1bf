/**
 * Documented responses of the Web API: every number is a text. Only the fields that the adapter reads are named. The
 * adapter itself reads these fields one by one; a conformance run compares whole responses.
 */
import * as z from 'zod/mini'

const integer = z.string().check(z.regex(/^-?\d{1,20}$/))
const decimal = z.string().check(z.regex(/^-?\d{1,18}(\.\d{1,8})?$/))
const text = z.string()

/** webapi_time_server: "1436453340 2015.07.09 14:49:00.123". */
export const serverTime = z.object({ Time: z.string().check(z.regex(/^\d{9,11} /)) })

/** webapi_time_data_structure; `TimeZone` in minutes from GMT. */
export const timeSettings = z.object({ Daylight: integer, DaylightState: integer, TimeZone: integer })

export const names = z.array(text.check(z.minLength(1), z.maxLength(63)))
export const logins = z.array(z.string().check(z.regex(/^[1-9]\d{0,17}$/)))

export const group = z.object({
  Group: text,
  Currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  AuthPasswordMin: integer,
})

export const user = z.object({
  Login: integer,
  Group: text,
  Rights: integer,
  Registration: integer,
  Name: text,
  Email: text,
  Country: text,
  Comment: text,
  ID: text,
  Leverage: integer,
  Balance: decimal,
  Credit: decimal,
})
export const users = z.array(user)

export const tradeStates = z.array(
  z.object({
    Login: integer,
    Balance: decimal,
    Credit: decimal,
    Margin: decimal,
    MarginFree: decimal,
    Profit: decimal,
    Equity: decimal,
  }),
)

export const deals = z.array(
  z.object({
    Deal: integer,
    Login: integer,
    Order: integer,
    PositionID: integer,
    Action: integer,
    Entry: integer,
    Reason: integer,
    Time: integer,
    Symbol: text,
    Price: decimal,
    PricePosition: decimal,
    PriceSL: decimal,
    PriceTP: decimal,
    Volume: integer,
    VolumeClosed: integer,
    Profit: decimal,
    Storage: decimal,
    Commission: decimal,
    Comment: text,
  }),
)

export const positions = z.array(
  z.object({
    Position: integer,
    Login: integer,
    Symbol: text,
    Action: integer,
    PriceOpen: decimal,
    PriceCurrent: decimal,
    PriceSL: decimal,
    PriceTP: decimal,
    Volume: integer,
    Profit: decimal,
    Storage: decimal,
    TimeCreate: integer,
  }),
)

export const orders = z.array(
  z.object({
    Order: integer,
    Login: integer,
    Symbol: text,
    Type: integer,
    PriceOrder: decimal,
    PriceSL: decimal,
    PriceTP: decimal,
    VolumeCurrent: integer,
    TimeSetup: integer,
  }),
)

/** webapi_daily_data_structure; `Timestamp` as a FILETIME in UTC, `DatetimePrev` in seconds of the server's clock. */
export const dailyReports = z.array(
  z.object({
    Login: integer,
    Timestamp: z.string().check(z.regex(/^1\d{17}$/)),
    DatetimePrev: integer,
    Balance: decimal,
    Credit: decimal,
    ProfitEquity: decimal,
    Margin: decimal,
  }),
)

/** The positions of a full daily report. */
export const reportedPositions = z.array(
  z.object({ Position: integer, PriceOpen: decimal, PriceCurrent: decimal, Profit: decimal, Storage: decimal }),
)

export const total = z.object({ Total: integer })

const checked = z.object({ User: decimal, History: decimal })
/** webapi_user_balance_check. */
export const checkedBalance = z.object({ Balance: checked, Credit: checked })
