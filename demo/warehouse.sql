-- The tables as they stand in the warehouse before anything arrives.
CREATE TABLE movies (
  title              VARCHAR NOT NULL,
  release_date       DATE,
  director           VARCHAR,
  rating             VARCHAR DEFAULT 'Not Rated',
  us_gross           BIGINT,
  production_budget  BIGINT,
  imdb_rating        DECIMAL(3, 1),
  imdb_votes         INTEGER,
  loaded_from        VARCHAR DEFAULT 'studio feed'
);
CREATE TABLE zipcodes (
  zip_code   VARCHAR NOT NULL CHECK (length(zip_code) <= 5),
  city       VARCHAR NOT NULL,
  state      VARCHAR NOT NULL CHECK (length(state) <= 2),
  county     VARCHAR,
  latitude   DECIMAL(9, 6),
  longitude  DECIMAL(9, 6)
);
CREATE TABLE employment (
  month         DATE NOT NULL,
  nonfarm       INTEGER NOT NULL,
  retail_trade  INTEGER,
  utilities     INTEGER
);
CREATE TABLE flights (
  departed     TIMESTAMP NOT NULL,
  origin       VARCHAR NOT NULL CHECK (length(origin) <= 3),
  destination  VARCHAR NOT NULL CHECK (length(destination) <= 3),
  distance     SMALLINT,
  delay        SMALLINT
);
