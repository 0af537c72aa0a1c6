/**
 * The weather in a city.
 * @param city - Its name
 */
export function forecast(city: string, days = 3) {
  return `${city}: sun for ${days} days`;
}
