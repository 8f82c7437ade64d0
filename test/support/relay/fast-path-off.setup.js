/** Every relay that a test of this project starts, in its own process or in another one, uses documented APIs only. */
process.env['TEST_FAST_PATH'] = 'off';
