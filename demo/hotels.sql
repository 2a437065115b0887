-- The hotel application's tables. The application itself sets updated_at on every change, whatever it changes.

create table if not exists hotels (
    hotel_id integer primary key,
    code text not null unique,
    name text not null,
    city text not null,
    country text not null,
    rooms integer not null,
    rating numeric(3, 2),
    opened_on date not null,
    is_active boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

create table if not exists guests (
    guest_id integer primary key,
    full_name text not null,
    email text,
    phone text,
    country text not null,
    is_active boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

create table if not exists reservations (
    reservation_id bigint primary key,
    hotel_id integer not null references hotels (hotel_id),
    guest_id integer not null references guests (guest_id),
    confirmation text not null unique,
    status text not null check (status in ('BOOKED', 'IN_HOUSE', 'CHECKED_OUT', 'CANCELLED', 'NO_SHOW')),
    channel text not null,
    room_type text not null,
    check_in date not null,
    check_out date not null check (check_out > check_in),
    adults integer not null,
    children integer not null,
    amount_usd numeric(12, 2) not null,
    is_prepaid boolean not null,
    notes text,
    booked_at timestamptz not null,
    checked_in_at timestamptz,
    checked_out_at timestamptz,
    cancelled_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

create table if not exists payments (
    payment_id bigint primary key,
    reservation_id bigint not null references reservations (reservation_id),
    method text not null,
    amount_usd numeric(12, 2) not null,
    status text not null check (status in ('CAPTURED', 'DECLINED', 'REFUNDED')),
    paid_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
