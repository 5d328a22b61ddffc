/** What a delivery word is sealed for. */
export const WORD_PURPOSE = 'delivery word';
/** What the place of a delivery is sealed for. */
export const LOCATION_PURPOSE = 'delivery location';
