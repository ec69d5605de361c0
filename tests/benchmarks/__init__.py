"""Speed, as ratios and times of one run on one machine; nothing here passes or fails."""
